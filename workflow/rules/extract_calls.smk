"""The calls of extraction: what is asked, and what is made of the answers."""

EXTRACTORS = sorted({label for name in PLAN.datasets for label in PLAN.extractors(name).values()})


def extractions_of(wildcards):
    """What every extractor made of every model's responses to a dataset."""
    return [
        path
        for extractor in sorted(set(PLAN.extractors(wildcards.dataset).values()))
        for model in PLAN.models_of(wildcards.dataset)
        for path in PLAN.extractions(wildcards.dataset, extractor, model.label)
    ]


def extraction_call(wildcards):
    """What the client asks the broker: to copy the answer out of one reply."""
    extractor = PLAN.models[wildcards.extractor]
    folder = f"{wildcards.extractor}@{wildcards.model}"
    name = f"{wildcards.item}.{wildcards.repeat}.json"
    return query.call_text(
        dataset=wildcards.dataset,
        model=wildcards.extractor,
        item=f"{wildcards.item}.{wildcards.repeat}",
        repeat=1,
        items=f"results/{wildcards.dataset}/extraction/{wildcards.model}.jsonl",
        settings=extractor.settings,
        source=extractor.file or "",
        tries=TRIES.get(f"results/{wildcards.dataset}/responses/{folder}/{name}", 0),
        code=LOCAL_CODE.get(extractor.kind, ""),
    )
