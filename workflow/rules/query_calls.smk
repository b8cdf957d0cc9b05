"""The calls of query: what is asked of whom, from which files."""

import tempfile

# Snakemake's own choice, which it would evaluate for each of thousands of calls.
TEMPORARY = tempfile.gettempdir()


def query_items(wildcards):
    """The shard file that holds the item."""
    shard = PLAN.datasets[wildcards.dataset].shard_of[wildcards.item]
    return f"results/{wildcards.dataset}/items/{shard}.jsonl"


def query_inputs(wildcards):
    """The item's shard, the picture of a model that looks, and what a local model answers from.

    A release may lack a picture: the call is then left pending. One function for all three,
    because a run has thousands of query jobs and Snakemake pays for every named input.
    """
    model = PLAN.models[wildcards.model]
    inputs = [query_items(wildcards)]
    if PLAN.shows_picture(wildcards.dataset, wildcards.model):
        picture = PLAN.picture(wildcards.dataset, wildcards.item)
        if wildcards.dataset in GENERATED or os.path.isfile(picture):
            inputs.append(picture)
    if source := PLAN.source(wildcards.dataset, wildcards.model):
        inputs.append(source)
    return inputs


# A local model is asked again when its code changes; a provider never is.
LOCAL_CODE = {
    model.kind: query.digest_of(models.code_path(model.kind))
    for model in PLAN.models.values()
    if not model.is_remote
}


def query_call(wildcards):
    """What the client asks the broker: who answers what, from which files."""
    model = PLAN.models[wildcards.model]
    shown = PLAN.shows_picture(wildcards.dataset, wildcards.model)
    picture = PLAN.picture(wildcards.dataset, wildcards.item) if shown else ""
    name = f"{wildcards.item}.{wildcards.repeat}.json"
    return query.call_text(
        dataset=wildcards.dataset,
        model=wildcards.model,
        item=wildcards.item,
        repeat=int(wildcards.repeat),
        items=query_items(wildcards),
        settings=model.settings,
        picture=picture,
        source=PLAN.source(wildcards.dataset, wildcards.model),
        tries=TRIES.get(f"results/{wildcards.dataset}/responses/{wildcards.model}/{name}", 0),
        code=LOCAL_CODE.get(model.kind, ""),
        player=PLAN.player(wildcards.dataset),
        options=PLAN.player_options(wildcards.dataset),
    )
