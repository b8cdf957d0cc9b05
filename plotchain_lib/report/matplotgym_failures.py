"""Of the figure suite: what went wrong in the decisions, and why episodes end without a figure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from plotchain_lib.report.calls import by_model
from plotchain_lib.report.charts import heat_chart
from plotchain_lib.report.episodes import (
    CALL,
    DREW,
    FAILURES,
    decision_title,
    decisions_in,
    endings,
    with_endings,
)
from plotchain_lib.report.grab_rates import digits, in_order, titled
from plotchain_lib.report.inputs import Dataset
from plotchain_lib.report.sections import Section
from plotchain_lib.report.summary import all_models
from plotchain_lib.report.tables import Column, Record, Table

KINDS = {
    "data_selection": "Wrong data", "series_completeness": "Wrong data",
    "encoding": "Encoding", "overlays": "Overlays", "panel_layout": "Panels",
    "axis_scales": "Scales",
}  # fmt: skip
NOT_COMPLETED = "Not completed"
UNTOLD = "lost points, cause not told"
SCRATCH = "drew_unsubmitted"


def failure_section(dataset: Dataset) -> Section:
    """Kinds of failures, each of them, and the episodes without a figure."""
    losses = losses_of(with_endings(dataset))
    ended = endings(dataset).reset_index()
    ended = ended[ended["ending"].isin(set(ended["ending"]) - set(_unanswered(dataset)))]
    counts = ended.groupby("model", observed=True).size()
    models = [label for label in all_models(dataset) if counts.get(label, 0)]
    kinds = _by_kind(losses, ended, counts)
    table = _kind_table(dataset, kinds, models)
    caption = "Share of a model's episodes with at least one failure of the kind, in percent."
    shares = {
        str(kind): {dataset.named(m): float(row[m]) for m in models if m in row.index}
        for kind, row in kinds.iterrows()
    }
    heading = ("failure_kinds", "Kinds of failures", caption)
    chart = heat_chart(heading, {"": shares}, list(shares), [dataset.named(m) for m in models])
    tables = [table]
    if not losses.empty:
        tables.append(_phrase_table(dataset, losses, counts, models))
    tables.append(_ending_table(dataset, ended))
    lead = (
        "What the submitted figure decided otherwise than the reference, found by comparing the "
        "two. An episode may fail in several ways, so the shares do not add up."
    )
    charts = (chart,) if models and len(shares) else ()
    return Section("failures", "How models fail", lead, charts, tuple(tables))


def losses_of(verdicts: pd.DataFrame) -> pd.DataFrame:
    """One row per episode, decision and phrase: ``model, item, repeat, field, phrase``.

    `verdicts` has the columns of weighed verdicts and ``ending``; episodes without a figure are
    left out. A decision that lost points without a phrase has the phrase UNTOLD.
    """
    drawn = verdicts[(verdicts["ending"] == DREW) & (verdicts["score"] < 1.0)]
    texts = drawn["lost"].fillna("").astype(str).replace("", UNTOLD)
    rows = drawn[[*CALL, "field"]].assign(phrase=texts.str.split(";")).explode("phrase")
    rows["phrase"] = rows["phrase"].astype(str).str.strip()
    return rows[rows["phrase"] != ""].drop_duplicates()


def _unanswered(dataset: Dataset) -> set[str]:
    outcomes = {str(name) for name in dataset.answers["outcome"].unique()}
    return outcomes - {"answered"}


def _by_kind(losses: pd.DataFrame, ended: pd.DataFrame, counts: pd.Series[Any]) -> pd.DataFrame:
    """Kind to model to the share of its episodes that fail so; kinds in the source's order."""
    told = losses.assign(kind=losses["field"].map(KINDS).fillna(losses["field"]))
    undrawn = ended[ended["ending"] != DREW].assign(kind=NOT_COMPLETED)
    rows = pd.concat([told[[*CALL, "kind"]], undrawn[[*CALL, "kind"]]]).drop_duplicates()
    sums = rows.groupby(["kind", "model"], observed=True).size().unstack(fill_value=0)
    shares = sums.reindex(columns=counts.index, fill_value=0).div(counts, axis=1)
    order = list(dict.fromkeys([*KINDS.values(), NOT_COMPLETED]))
    return shares.loc[in_order([str(kind) for kind in shares.index], order)]


def _kind_table(dataset: Dataset, kinds: pd.DataFrame, models: list[str]) -> Table:
    records = tuple(
        {"kind": str(kind), **{f"share_{m}": digits(row[m]) for m in models}}
        for kind, row in kinds.iterrows()
    )
    return Table(
        name="failure_kinds", title="Kinds of failures", keys=("kind",), records=records,
        columns=(Column("kind", "Kind"),
                 *(Column(f"share_{m}", m, "percent", heat=True) for m in models)),
        note="Percent of the model's episodes that have ended, with at least one failure of the "
             "kind.",
    )  # fmt: skip


def _phrase_table(
    dataset: Dataset, losses: pd.DataFrame, counts: pd.Series[Any], models: list[str]
) -> Table:
    sums = losses.groupby(["field", "phrase", "model"], observed=True).size().unstack(fill_value=0)
    sums = sums.reindex(columns=counts.index, fill_value=0)
    by_phrase: Mapping[Any, Mapping[Any, int]] = sums.to_dict("index")
    contest = [m for m in models if not dataset.is_baseline(m)]
    asked = max(1, int(counts.reindex(contest).sum()))
    places = {name: place for place, name in enumerate(decisions_in(losses))}
    kinds = list(dict.fromkeys(KINDS.values()))

    def record(field: str, phrase: str) -> dict[str, Any]:
        row: Mapping[Any, int] = by_phrase[field, phrase]
        return {
            "kind": KINDS.get(field, field), "decision": decision_title(field), "phrase": phrase,
            "place": places[field], "all": digits(sum(row[m] for m in contest) / asked),
            **{f"share_{m}": digits(row[m] / counts[m]) for m in models},
        }  # fmt: skip

    records = [record(str(field), str(phrase)) for field, phrase in sums.index]
    records.sort(key=lambda r: (in_place(r["kind"], kinds), -r["all"], r["place"], r["phrase"]))
    own = [] if not contest else [Column("all", "All models", "percent", heat=True)]
    return Table(
        name="failures", title="What was decided otherwise", records=tuple(records),
        keys=("decision", "phrase"),
        columns=(
            Column("phrase", "What"), Column("kind", "Kind"), Column("decision", "Decision"),
            *own, *(Column(f"share_{m}", m, "percent", heat=True) for m in models),
        ),
        note="Percent of the model's episodes that have ended. All models: the contestants' "
             "episodes together.",
    )  # fmt: skip


def in_place(name: str, known: list[str]) -> int:
    """The place of a name among the known ones; behind them where it is none."""
    return known.index(name) if name in known else len(known)


def _ending_table(dataset: Dataset, ended: pd.DataFrame) -> Table:
    """How many episodes end without a figure, and why."""
    counts = ended.groupby(["model", "ending"], observed=True).size().unstack(fill_value=0)
    others = [str(name) for name in counts.columns if name not in (DREW, *FAILURES)]
    shown = [*FAILURES, *sorted(others)]
    scratch = _scratch(dataset)
    by_label: Mapping[Any, Mapping[Any, int]] = counts.to_dict("index")

    def record(label: str) -> Record:
        row: Mapping[Any, int] = by_label.get(label, {})
        total, drew = int(sum(row.values())), int(row.get(DREW, 0))
        found = {name.replace(" ", "_"): int(row.get(name, 0)) for name in shown}
        return {
            "model": label, "episodes": total, "drew": digits(drew / total) if total else None,
            **found, **({} if scratch is None else {SCRATCH: int(scratch.get(label, 0))}),
        }  # fmt: skip

    group = "Episodes without a figure"
    columns = [Column("model", "Model"), Column("episodes", "Episodes", "count"),
               Column("drew", "Drew a figure", "percent")]  # fmt: skip
    for name in shown:
        columns.append(Column(name.replace(" ", "_"), titled(name), "count", group=group))
        if name == FAILURES[0] and scratch is not None:
            columns.append(Column(SCRATCH, "of these, drew it in a scratch command", "count",
                                  group=group))  # fmt: skip
    note = "Stopped: the script reached a limit of time, memory or output. Each scores 0."
    return by_model(dataset, "not_completed", "Not completed", tuple(columns), record, note)


def _scratch(dataset: Dataset) -> pd.Series[Any] | None:
    """By model: episodes that drew but submitted nothing; None where the table does not tell."""
    frame = dataset.episodes
    if frame is None or SCRATCH not in frame.columns:
        return None
    drew = frame[SCRATCH].fillna(False).astype(bool) & (frame["script_sha256"] == "")
    return frame[drew].groupby("model").size()
