"""What the report is built from: the files of every dataset, as the plan of a run has them."""

from __future__ import annotations

from typing import Any

from plotchain_lib.plan import Plan


def report_inputs(plan: Plan) -> dict[str, Any]:
    """What the report is built from, as `plotchain_lib.report` takes it."""
    return {
        "models": {model.label: model.kind for model in plan.models.values()},
        "datasets": {name: _report_dataset(plan, name) for name in plan.datasets},
    }


def _report_dataset(plan: Plan, name: str) -> dict[str, Any]:
    dataset, folder = plan.datasets[name], f"results/{name}"
    policies = plan.policies(dataset.suite)
    parsings = {policy: plan.parsing(dataset.suite, policy) for policy in policies}
    generated = dataset.release is None
    return {
        "suite": dataset.suite,
        "headline": policies[0],
        "parsing": parsings,
        "scores": {p: f"{folder}/scores/{p}.parquet" for p in policies},
        "significance": {p: f"{folder}/significance/{p}.json" for p in policies},
        "answers": {
            parsing: _tables_of_models(plan, name, f"answers/{parsing}")
            for parsing in dict.fromkeys(parsings.values())
        },
        "run": f"{folder}/run.json",
        "certificate": None if plan.player(name) else f"{folder}/certificate.csv",
        "browser": _browser_inputs(plan, name),
        "validation": f"{folder}/validation.csv" if generated else None,
        "validation_summary": f"{folder}/validation_summary.csv" if generated else None,
        **({"episodes": _tables_of_models(plan, name, "episodes"),
            "submissions": _tables_of_models(plan, name, "submissions")}
           if plan.player(name) else {}),
        **({"extractors": extractors} if (extractors := plan.extractors(name)) else {}),
        **({"published": True} if plan.shows_published(name) else {}),
        "facts": {
            "seed": dataset.seed, "items_per_family": dataset.count,
            "release": dataset.release, "repeats": plan.repeats(name),
            "limit": plan.limit,
            **({"variant": dataset.variant} if dataset.variant else {}),
        },
    }  # fmt: skip


def _tables_of_models(plan: Plan, dataset: str, kind: str) -> dict[str, str]:
    """Model to its table of one kind."""
    models = plan.models_of(dataset)
    return {m.label: f"results/{dataset}/{kind}/{m.label}.parquet" for m in models}


def _browser_inputs(plan: Plan, name: str) -> dict[str, Any]:
    """What the report's item browser shows of a dataset."""
    folder = f"results/{name}"
    models = [model.label for model in plan.models_of(name)]
    return {
        "items": plan.item_files(name),
        "replies": {label: f"{folder}/raw/{label}.jsonl" for label in models},
        "pictures": {
            shard: f"{folder}/pictures/{shard}.parquet" for shard in plan.datasets[name].shards
        },
        "overlays": f"{folder}/overlays.parquet" if plan.label_of(name, "reader") else None,
        "reduced": plan.reduced_pictures,
        **({kind: _tables_of_models(plan, name, kind) for kind in ("episodes", "submissions")}
           if plan.player(name) else {}),
    }  # fmt: skip
