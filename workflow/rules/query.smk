"""
One job per model, item and repeat: a thin client that asks the broker.

Requires the shard's items, the item's picture where the model looks at it, and what a local model
answers from (blind: floor.json; recorded: its file).
Makes results/{dataset}/responses/{model}/{item}.{repeat}.json.
"""


def query_items(wildcards):
    """The shard file that holds the item."""
    shard = PLAN.datasets[wildcards.dataset].shard_of[wildcards.item]
    return f"results/{wildcards.dataset}/items/{shard}.jsonl"


def query_picture(wildcards):
    """The picture a model looks at. A release may lack it: the call is then left pending."""
    picture = PLAN.picture(wildcards.dataset, wildcards.item)
    if not PLAN.models[wildcards.model].sees_picture:
        return []
    released = PLAN.datasets[wildcards.dataset].release is not None
    return [] if released and not os.path.isfile(picture) else picture


def query_call(wildcards):
    """What the client asks the broker: who answers what, from which files."""
    model = PLAN.models[wildcards.model]
    picture = PLAN.picture(wildcards.dataset, wildcards.item) if model.sees_picture else ""
    return query.call_text(
        dataset=wildcards.dataset,
        model=wildcards.model,
        item=wildcards.item,
        repeat=int(wildcards.repeat),
        items=query_items(wildcards),
        settings=model.settings,
        picture=picture,
        source=PLAN.source(wildcards.dataset, wildcards.model),
    )


rule query:
    """Ask one model about one item, once."""
    input:
        item_files=query_items,
        picture=query_picture,
        source=lambda wildcards: PLAN.source(wildcards.dataset, wildcards.model) or [],
    output:
        "results/{dataset}/responses/{model}/{item}.{repeat}.json",
    params:
        call=query_call,
    log:
        "results/logs/query/{dataset}/{model}/{item}.{repeat}.log",
    localrule: True
    shell:
        'exec "$PLOTCHAIN_PYTHON" -I -S "$PLOTCHAIN_CLIENT" {output:q} {params.call:q}'
