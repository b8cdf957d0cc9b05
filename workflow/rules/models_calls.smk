"""The entries of models behind `estimate` and `check`."""


def asked_of(label):
    """What a model is asked about: items, repeats and pictures of each of its datasets."""
    return [
        {
            "items": PLAN.item_files(dataset),
            "chosen": [item for shard in entry.shards for item in PLAN.items(dataset, shard)],
            "repeats": PLAN.repeats(dataset),
            "player": PLAN.player(dataset),
            "turns": suites.player_turns(entry.suite),
            "pictures": {item: PLAN.picture(dataset, item) for item in entry.shard_of},
        }
        for dataset, entry in PLAN.datasets.items()
        if label in {model.label for model in PLAN.models_of(dataset)}
    ]


def extractions_by(label):
    """The files a model writes as an extractor, of every dataset and model."""
    return [
        path
        for dataset in PLAN.datasets
        if label in PLAN.extractors(dataset).values()
        for model in PLAN.models_of(dataset)
        for path in PLAN.extractions(dataset, label, model.label)
    ]


def entries_of_models():
    """Label to settings and limits of every model that is asked over HTTP."""
    return {
        label: {"settings": dict(model.settings), "limits": dict(model.limits)}
        for label, model in REMOTE.items()
    }
