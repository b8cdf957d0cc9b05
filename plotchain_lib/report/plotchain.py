"""Sections only plotchain has: families, checkpoints against finals, fields, difficulty."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pandas as pd

from plotchain_lib.report.axes import axis_sections
from plotchain_lib.report.bias import bias_section
from plotchain_lib.report.cells import cell_parts
from plotchain_lib.report.charts import difficulty_chart, heat_chart
from plotchain_lib.report.derivation import derivation_sections
from plotchain_lib.report.errors import error_section, errors_of
from plotchain_lib.report.figures import Chart
from plotchain_lib.report.inputs import Dataset
from plotchain_lib.report.scatter import Point, Scales, scatter_chart
from plotchain_lib.report.sections import Section
from plotchain_lib.report.summary import all_models, baselines, metrics_of, value_of
from plotchain_lib.report.tables import Column, Record, Table
from plotchain_lib.report.tolerance import tolerance_section

DIFFICULTIES = ("clean", "moderate", "edge")
SCOPE_METRICS = {
    "all": "field_pass_rate",
    "final": "final_field_pass_rate",
    "checkpoint": "checkpoint_field_pass_rate",
}
SCOPES = {"all": "All fields", "final": "Final fields", "checkpoint": "Checkpoint fields"}

DEFINITIONS = (
    ("Final and checkpoint fields", "A final field is what the reader of the plot is after; a "
     "checkpoint field (cp_…) is a value read on the way to it."),
    ("Passed", "A field passes when its error is within the absolute tolerance or within the "
     "relative tolerance of its policy. A missing value fails."),
    ("Items, every final", "The share of items whose final fields all pass. Every checkpoint: the "
     "same over the items that have checkpoint fields."),
    ("Error in units of the tolerance", "The error over the wider of the two tolerances: 1 just "
     "passes, 2 is twice as far off."),
    ("Seen, derived, lucky", "Seen: every checkpoint of an item is right. Derived: so is every "
     "final. Lucky: the finals are right though a checkpoint is not."),
    ("Reading or arithmetic", "A result is recomputed from the model's own other answers. If they "
     "lead to the same wrong value, it misread; if they lead to the right one, it miscalculated."),
    ("Answered fields", "The pass rate over values that were given at all: pooled over fields, or "
     "first within an item and then over items."),
)  # fmt: skip


def sections(dataset: Dataset) -> list[Section]:
    """Where models fail, then why."""
    errors = errors_of(dataset.verdicts, all_models(dataset))
    return [
        family_section(dataset), difficulty_section(dataset), *axis_sections(dataset, errors),
        field_section(dataset), error_section(dataset, errors), bias_section(dataset, errors),
        checkpoint_section(dataset), *derivation_sections(dataset, errors),
    ]  # fmt: skip


def judging(dataset: Dataset) -> list[Section]:
    """How much hangs on the tolerances."""
    return [tolerance_section(dataset, errors_of(dataset.verdicts, all_models(dataset)))]


def family_section(dataset: Dataset) -> Section:
    """Pass rate by family and model, for all, final and checkpoint fields."""
    models = all_models(dataset)
    shares = {scope: pass_rates(dataset.verdicts, scope) for scope in SCOPES}
    tables = tuple(_family_table(dataset, scope, shares[scope]) for scope in SCOPES)
    panels = {SCOPES[scope]: _nested(frame) for scope, frame in shares.items()}
    caption = "Share of fields passed (%), by family and model."
    families = sorted(str(family) for family in shares["all"].index)
    chart = heat_chart(("families", "Families", caption), panels, families, models)
    lead = "Share of fields passed in each family; the stronger the colour, the better."
    return Section("families", "Where models fail", lead, tables=tables, figures=(chart,),
                   tabbed=True)  # fmt: skip


def pass_rates(verdicts: pd.DataFrame, scope: str) -> pd.DataFrame:
    """Pass rate by group (rows) and model (columns)."""
    chosen = verdicts if scope == "all" else verdicts[verdicts["scope"] == scope]
    return chosen.pivot_table(index="group", columns="model", values="passed", aggfunc="mean",
                              observed=True)  # fmt: skip


def _family_table(dataset: Dataset, scope: str, shares: pd.DataFrame) -> Table:
    models = all_models(dataset)
    counts = dataset.verdicts.groupby("group")["item"].nunique()
    ends = _group_intervals(dataset, SCOPE_METRICS[scope])

    def record(group: str) -> Record:
        row = {"group": group, "items": counts[group], **_row(shares, group, models)}
        for model in models:
            lower, upper = ends.get((group, model), (None, None))
            row |= {f"pass_{model}_lower": lower, f"pass_{model}_upper": upper}
        return row

    columns = (
        Column("group", "Family"),
        Column("items", "Items", "count"),
        *(Column(f"pass_{m}", m, "percent", interval=bool(ends), heat=True) for m in models),
    )
    return Table(
        name=f"families_{scope}", title=SCOPES[scope], columns=columns,
        records=tuple(record(str(group)) for group in shares.index), keys=("group",),
        order="group", note="Fields passed in percent, with intervals in small type.",
    )  # fmt: skip


def _group_intervals(dataset: Dataset, metric: str) -> dict[tuple[str, str], tuple[Any, Any]]:
    """Both ends by family and model, where the record has them."""
    entries = dataset.significance.get(dataset.headline, {}).get("groups", [])
    return {
        (entry["group"], entry["model"]): (entry["lower"], entry["upper"])
        for entry in entries
        if entry["metric"] == metric
    }


def checkpoint_section(dataset: Dataset) -> Section:
    """Final against checkpoint pass rates, over fields and within each item."""
    metrics = metrics_of(dataset, dataset.headline)
    points = []
    for label in all_models(dataset):
        final = value_of(metrics, "final_field_pass_rate", label)
        checkpoint = value_of(metrics, "checkpoint_field_pass_rate", label)
        if final is not None and checkpoint is not None:
            baseline = dataset.is_baseline(label)
            points.append(Point(label, 100 * checkpoint, 100 * final, baseline))
    caption = (
        "Above the diagonal a model is better at the final value than at the steps towards it."
    )
    heading = ("final_checkpoint", "Final against checkpoint fields", caption)
    scales = Scales("checkpoint fields passed (%)", "final fields passed (%)", shares=True)
    chart = replace(scatter_chart(heading, points, scales), data=("leaderboard",))
    charts = (chart,) if points else ()
    cells, tables = cell_parts(dataset)
    lead = (
        "A checkpoint is a step towards the result. A model that reads the steps and misses the "
        "result fails otherwise than one that never sees them."
    )
    return Section("checkpoints", "Why they fail", lead, cells + charts, tables, tabbed=True)


def difficulty_section(dataset: Dataset) -> Section:
    """Pass rate by difficulty."""
    models = all_models(dataset)
    verdicts = dataset.verdicts
    shares = verdicts.groupby(["difficulty", "model"])["passed"].mean().unstack("difficulty")
    counts = verdicts.groupby("difficulty")["item"].nunique()
    found = [str(name) for name in shares.columns]
    shown = [name for name in DIFFICULTIES if name in found]
    shown += sorted(set(found) - set(shown))

    def record(label: str) -> Record:
        row: dict[str, Any] = {"model": label}
        for name in shown:
            row[name] = shares.loc[label, name]
            row[f"{name}_n"] = counts[name]
        return row

    columns = (
        Column("model", "Model"),
        *(Column(name, name.capitalize(), "percent", counted=True, heat=True) for name in shown),
    )
    apart = [label for _, label in baselines(dataset)]
    table = Table(
        name="difficulty", title="Fields passed by difficulty (%)",
        columns=columns, keys=("model",),
        records=tuple(record(label) for label in models if label not in apart),
        apart=tuple(record(label) for label in apart), note="n counts items.",
    )  # fmt: skip
    return Section("difficulty", "Difficulty", charts=(_difficulty(models, shown, shares),),
                   tables=(table,))  # fmt: skip


def _difficulty(models: list[str], shown: list[str], shares: pd.DataFrame) -> Chart:
    caption = "Share of fields passed by the difficulty of the item, models in rank order."
    series = {
        name: {str(model): float(share) for model, share in shares[name].dropna().items()}
        for name in shown
    }
    return difficulty_chart(("difficulty", "Easy and hard plots", caption), models, series)


def field_section(dataset: Dataset) -> Section:
    """Each field with its tolerance and every pass rate."""
    verdicts = dataset.verdicts
    models = all_models(dataset)
    keys = ["group", "field"]
    rates = verdicts.groupby([*keys, "model"])["passed"].mean().unstack("model")
    about = verdicts.groupby(keys).agg(
        scope=("scope", "first"), items=("item", "nunique"),
        abs_low=("abs_tol", "min"), abs_high=("abs_tol", "max"),
        rel_low=("rel_tol", "min"), rel_high=("rel_tol", "max"),
    )  # fmt: skip
    readable = _readable(dataset)
    records = tuple(
        {"group": group, "field": field, **_about_field(about.loc[(group, field)]),
         "readable_share": readable.get((group, field)), **_row(rates, (group, field), models)}
        for group, field in _in_order(about)
    )  # fmt: skip
    table = Table(
        name="fields", title="Every field", columns=_field_columns(models, bool(readable)),
        records=records, keys=("group", "field"), order="group",
        note=(
            "Tolerances of the headline policy; a range where they depend on the truth. Readable: "
            "the share of reads one pixel off that still pass."
        ),
    )  # fmt: skip
    return Section("fields", "Field by field", _agreement(dataset), tables=(table,))


def _field_columns(models: list[str], validated: bool) -> tuple[Column, ...]:
    room = "Tolerance"
    passed = "Passed (%)"
    readable = Column("readable_share", "Readable (%)", "percent", group=room)
    return (
        Column("field", "Field"), Column("group", "Family"), Column("scope", "Scope"),
        Column("items", "Items", "count"),
        Column("abs_tol", "Absolute", "setting", spread=True, group=room),
        Column("rel_tol", "Relative (%)", "percent", spread=True, group=room),
        *((readable,) if validated else ()),
        *(Column(f"pass_{model}", model, "percent", heat=True, group=passed) for model in models),
    )  # fmt: skip


def _in_order(about: pd.DataFrame) -> list[tuple[str, str]]:
    """By family, what is asked for before the steps towards it."""
    keys = [(str(group), str(field)) for group, field in about.index]
    return sorted(keys, key=lambda key: (key[0], about.loc[key, "scope"] != "final", key[1]))


def _about_field(entry: Any) -> dict[str, Any]:
    return {
        "scope": entry["scope"], "items": entry["items"],
        "abs_tol": entry["abs_low"], "abs_tol_to": entry["abs_high"],
        "rel_tol": entry["rel_low"], "rel_tol_to": entry["rel_high"],
    }  # fmt: skip


def _readable(dataset: Dataset) -> dict[tuple[str, str], Any]:
    """Of each field of a generated dataset, the share of reads one pixel off that still pass."""
    if dataset.validation_summary is None:
        return {}
    return {
        (str(row["shard"]), str(row["field"])): row["readable_share"]
        for row in dataset.validation_summary.to_dict("records")
    }


def _agreement(dataset: Dataset) -> str:
    if dataset.validation is None:
        return "The truth of a release is taken as published; nothing was measured again."
    agrees = dataset.validation["agrees"].astype(str).str.lower().isin(["true", "1"])
    return (
        f"Measured a second time from the drawn curve, {int(agrees.sum()):,} of {len(agrees):,} "
        "true values agree."
    )


def _row(shares: pd.DataFrame, key: Any, models: list[str]) -> dict[str, Any]:
    row = shares.loc[key]
    return {f"pass_{model}": row.get(model) for model in models}


def _nested(shares: pd.DataFrame) -> dict[str, dict[str, float]]:
    """Row to column to share, without the empty ones."""
    return {
        str(group): {str(model): float(share) for model, share in row.dropna().items()}
        for group, row in shares.iterrows()
    }
