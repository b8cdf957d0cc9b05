"""Several datasets at one glance: every model on every dataset, and what each dataset is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from plotchain_lib.report.cautions import cautions
from plotchain_lib.report.inputs import Dataset
from plotchain_lib.report.summary import baselines, ranked_models, ranking_of
from plotchain_lib.report.tables import Column, Record, Table
from plotchain_lib.report.words import words_of


def overview_tables(datasets: Sequence[Dataset]) -> tuple[Table, ...]:
    """Nothing where there is one dataset only: its own first screen says it all."""
    return (overview_table(datasets), dataset_table(datasets)) if len(datasets) > 1 else ()


def overview_table(datasets: Sequence[Dataset]) -> Table:
    """The ranking's metric of each model on each dataset."""
    models = list(dict.fromkeys(m for dataset in datasets for m in ranked_models(dataset)))
    apart = list(dict.fromkeys(m for dataset in datasets for _, m in baselines(dataset)))
    found = {d.name: ranking_of(d) for d in datasets}
    keys = {d.name: f"{words_of(d.suite).ranked_by}_{d.name}" for d in datasets}
    columns = (
        Column("model", "Model"),
        *(
            Column(keys[name], name, "percent", interval=True, counted=True, heat=True)
            for name in found
        ),
    )

    def record(label: str) -> Record:
        row: dict[str, Any] = {"model": label}
        for name, entries in found.items():
            entry, key = entries.get(label, {}), keys[name]
            row[key] = entry.get("value")
            row.update({f"{key}_{part}": entry.get(part) for part in ("lower", "upper", "n")})
        return row

    return Table(
        name="overview", title="Every model on every dataset", columns=columns, keys=("model",),
        records=tuple(record(label) for label in models),
        apart=tuple(record(label) for label in apart),
        note=f"{_counted(datasets).capitalize()} under each dataset's headline policy, in percent, "
             "with intervals.",
    )  # fmt: skip


def dataset_table(datasets: Sequence[Dataset]) -> Table:
    """One row a dataset, which leads to its part of the page."""
    columns = (
        Column("dataset", "Dataset", link="place"), Column("suite", "Suite"),
        Column("items", "Items", "count"), Column("fields", "Fields", "count"),
        Column("policy", "Policy"), Column("models", "Models", "count"),
        Column("best", "Best model"),
        Column("best_value", f"Its {_counted(datasets)} (%)", "percent"),
        Column("cautions", "Cautions", "count"),
    )  # fmt: skip
    return Table(
        name="datasets", title="The datasets", columns=columns, keys=("dataset",),
        records=tuple(_about(dataset) for dataset in datasets),
    )  # fmt: skip


def _counted(datasets: Sequence[Dataset]) -> str:
    return " or ".join(dict.fromkeys(words_of(d.suite).passed for d in datasets))


def _about(dataset: Dataset) -> Record:
    ranked = ranked_models(dataset)
    best = ranked[0] if ranked else ""
    entry = ranking_of(dataset).get(best, {})
    verdicts = dataset.verdicts
    return {
        "dataset": dataset.name, "place": f"#{dataset.name}", "suite": dataset.suite,
        "items": verdicts["item"].nunique(),
        "fields": len(verdicts.drop_duplicates(["item", "field"])),
        "policy": dataset.headline, "models": len(ranked), "best": best,
        "best_value": entry.get("value"), "cautions": len(cautions(dataset)),
    }  # fmt: skip
