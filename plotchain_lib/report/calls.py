"""How the calls went: outcomes, forms of the answers, what is pending, the facts of the run."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from plotchain_lib.item import OUTCOMES
from plotchain_lib.report.formatting import Kind
from plotchain_lib.report.inputs import Dataset
from plotchain_lib.report.summary import baselines, ranked_models
from plotchain_lib.report.tables import Column, Record, Table
from plotchain_lib.report.words import words_of

CONTRACT_FORM = "direct"
NO_FORM = "none"
RUN_COLUMNS: dict[str, tuple[str, Kind]] = {
    "served_models": ("As served", "text"),
    "sent": ("As sent", "text"),
    "first_asked_at": ("First call", "text"),
    "last_asked_at": ("Last call", "text"),
    "input_tokens": ("Input tokens", "count"),
    "output_tokens": ("Output tokens", "count"),
    "cost_usd": ("Cost (US dollars)", "setting"),
    "sha256": ("SHA-256 of the responses", "hash"),
}


def calls(dataset: Dataset) -> pd.DataFrame:
    """One row for each call."""
    return dataset.answers.drop_duplicates(["model", "item", "repeat"])


def outcome_table(dataset: Dataset) -> Table:
    """How the calls of each model ended, and how many values are missing."""
    counts = calls(dataset).groupby(["model", "outcome"]).size().unstack(fill_value=0)
    shown = [outcome for outcome in OUTCOMES if outcome in counts.columns]
    value = dataset.answers["value"]
    missing = value.isna() if value.notna().any() else dataset.answers["text"].fillna("") == ""
    if words_of(dataset.suite).texts:
        missing = dataset.answers["form"] == NO_FORM
    missing_share = missing.groupby(dataset.answers["model"]).mean()

    def record(label: str) -> Record:
        known = _counts(counts, label, shown)
        share = missing_share.get(label)
        return {"model": label, "calls": sum(known.values()), **known, "values_missing": share}

    columns = (
        Column("model", "Model"), Column("calls", "Calls", "count"),
        *(Column(outcome, outcome.capitalize(), "count") for outcome in shown),
        Column("values_missing", "Values missing (%)", "percent"),
    )  # fmt: skip
    return by_model(
        dataset, "outcomes", "How the calls ended", columns, record,
        "Anything but an answer is kept apart from a wrong answer; each counts as a failed item.",
    )  # fmt: skip


def form_table(dataset: Dataset) -> Table:
    """In which form the answers came: how often a model kept the contract it was given."""
    made = calls(dataset)
    answered = made[made["outcome"] == "answered"]
    form = answered["form"].fillna(NO_FORM).replace("", NO_FORM)
    counts = form.groupby([answered["model"], form]).size().unstack(fill_value=0)
    rest = sorted(str(name) for name in counts.columns if name != CONTRACT_FORM)
    shown = [CONTRACT_FORM, *rest]

    def record(label: str) -> Record:
        known = _counts(counts, label, shown)
        total = sum(known.values())
        share = known[CONTRACT_FORM] / total if total else None
        return {"model": label, "answers": total, "contract_kept": share,
                **{f"form_{name}": number for name, number in known.items()}}  # fmt: skip

    columns = (
        Column("model", "Model"), Column("answers", "Answers", "count"),
        Column("contract_kept", "Contract kept (%)", "percent"),
        *(Column(f"form_{name}", name.replace("_", " ").capitalize(), "count") for name in shown),
    )  # fmt: skip
    return by_model(
        dataset, "answer_forms", "In which form the answers came", columns, record,
        f"The contract is kept by {words_of(dataset.suite).contract} (direct).",
    )  # fmt: skip


def dataset_facts(dataset: Dataset) -> dict[str, str]:
    """What was measured, in words and numbers, for the line under the dataset's name."""
    verdicts = dataset.verdicts
    pairs = verdicts.drop_duplicates(["item", "field"])
    words = words_of(dataset.suite)
    facts = {
        "Suite": dataset.suite,
        words.items.capitalize(): f"{verdicts['item'].nunique():,}",
        words.fields.capitalize(): f"{len(pairs):,}",
        words.repeats.capitalize(): f"{verdicts['repeat'].nunique()}",
        "Policy": dataset.headline,
        **_references(dataset),
    }
    given = {
        key.replace("_", " ").capitalize(): write_fact(value)
        for key, value in dataset.facts.items()
        if value is not None
    }
    return facts | given


def _references(dataset: Dataset) -> dict[str, str]:
    """Whose the reference figures are, where items are episodes that say so."""
    if dataset.episodes is None or dataset.episodes.empty:
        return {}
    counts = dataset.episodes.drop_duplicates("item")["review"].value_counts().sort_index()
    told = [f"{name}, {count:,} tasks" for name, count in counts.items()]
    return {"References": told[0].split(",")[0] if len(told) == 1 else "; ".join(told)}


def when_and_cost(dataset: Dataset) -> dict[str, str]:
    """From the first call to the last, and US dollars, where anything was paid."""
    days = [str(dataset.run.get(f"{end}_asked_at") or "")[:10] for end in ("first", "last")]
    facts = {"Asked": " to ".join(dict.fromkeys(filter(None, days)))} if any(days) else {}
    costs = [run_entry(dataset, model).get("cost_usd") for model in dataset.models]
    paid = sum(float(cost) for cost in costs if cost)
    return facts | ({"Paid": f"${paid:,.2f}"} if paid else {})


def run_facts(dataset: Dataset) -> dict[str, str]:
    """When, with what, under which statistics; everything ``run.json`` holds but the models."""
    facts = {
        key.replace("_", " ").capitalize(): write_fact(value)
        for key, value in dataset.run.items()
        if key not in {"models", "dataset"} and value not in (None, "", {}, [])
    }
    significance = dataset.significance.get(dataset.headline, {})
    for key in ("alpha", "resamples", "seed"):
        if key in significance:
            facts[f"Statistics: {key}"] = write_fact(significance[key])
    return facts


def extraction_facts(dataset: Dataset) -> dict[str, str] | None:
    """What extraction took, by policy; None where no policy extracts."""
    facts = {}
    for policy, label in dataset.extractors.items():
        entry = run_entry(dataset, label)
        parts = [f"{entry.get('responses', 0):,} calls of {label}"]
        tokens = [entry.get(key) or 0 for key in ("input_tokens", "output_tokens")]
        if any(tokens):
            parts.append(f"{tokens[0]:,.0f} input and {tokens[1]:,.0f} output tokens")
        if entry.get("cost_usd") is not None:
            parts.append(f"{entry['cost_usd']:.2f} US dollars")
        facts[f"Extraction for {policy}"] = ", ".join(parts)
    return facts or None


def run_table(dataset: Dataset) -> Table:
    """The models as served, decoding as sent, checksum of their responses."""

    def record(label: str) -> Record:
        entry = run_entry(dataset, label)
        return {"model": label, "kind": dataset.models[label]} | {
            key: entry[key] if isinstance(entry[key], int | float) else write_fact(entry[key])
            for key in shown
            if entry.get(key) is not None
        }

    entries = [run_entry(dataset, label) for label in dataset.models]
    shown = [key for key in RUN_COLUMNS if any(key in entry for entry in entries)]
    columns = (
        Column("model", "Model"),
        Column("kind", "Kind"),
        *(Column(key, *RUN_COLUMNS[key]) for key in shown),
    )
    table = by_model(dataset, "run", "Models as served, decoding as sent", columns, record, "")
    return replace(table, of_run=True)


def write_fact(value: Any) -> str:
    """A JSON value in one line."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {write_fact(value[key])}" for key in sorted(value)) or "none"
    if isinstance(value, list):
        return ", ".join(write_fact(entry) for entry in value) or "none"
    return json.dumps(value)


def by_model(
    dataset: Dataset,
    name: str,
    title: str,
    columns: tuple[Column, ...],
    record: Callable[[str], Record],
    note: str = "",
) -> Table:
    """One row a model, as `record` makes it of a label; the baselines apart."""
    return Table(
        name=name, title=title, columns=columns, keys=("model",), note=note,
        records=tuple(record(label) for label in ranked_models(dataset)),
        apart=tuple(record(label) for _, label in baselines(dataset)),
    )  # fmt: skip


def _counts(counts: pd.DataFrame, label: str, shown: Sequence[str]) -> dict[str, int]:
    row: Mapping[str, Any] = dict(counts.loc[label]) if label in counts.index else {}
    return {name: int(row.get(name, 0)) for name in shown}


def run_entry(dataset: Dataset, label: str) -> Mapping[str, Any]:
    """What ``run.json`` says of one model; empty where it says nothing."""
    return _mapping(_mapping(dataset.run.get("models")).get(label))


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
