"""
One job per model, item and repeat: a thin client that asks the broker.

Requires the shard's items, the item's picture where the model looks at it, and what a local model
answers from (blind: floor.json; recorded: its file).
Makes results/{dataset}/responses/{model}/{item}.{repeat}.json.
"""


rule query:
    """Ask one model about one item, once."""
    input:
        query_inputs,
    output:
        "results/{dataset}/responses/{model}/{item}.{repeat}.json",
    log:
        "results/logs/query/{dataset}/{model}/{item}.{repeat}.log",
    localrule: True
    conda:
        "../envs/plotchain.yaml"
    resources:
        tmpdir=TEMPORARY,
    params:
        call=query_call,
    shell:
        'exec "$PLOTCHAIN_PYTHON" -I -S "$PLOTCHAIN_CLIENT" {output:q} {params.call:q}'
