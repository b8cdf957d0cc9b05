"""The certificate: can what is asked be read, and not guessed? One row per family and field."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

import pandas as pd

from plotchain_lib.report.formatting import write_value
from plotchain_lib.report.inputs import CERTIFICATE_COLUMNS, Dataset
from plotchain_lib.report.sections import Section
from plotchain_lib.report.tables import Column, Table

TEXTS = (
    "dataset", "family", "field", "unit", "scope", "axis", "flags", "derived_from", "formula",
)  # fmt: skip
FLAGS = (
    "Unreadable: the ceiling passes under 95 % of the pictures. Given away: the true number stands "
    "in the prompt of at least half of the items. Constant: one true value, or a floor of 95 % or "
    "more. Derived: the field follows from others of the same item, by a relation the suite "
    "declares or as an exact linear function of one of them. Duplicate: there are items whose "
    "picture and prompt equal another item's."
)
MEASURES = (
    "Ceiling, null (no answer given) and wrong (an answer outside the policy): of the pictures the "
    "ceiling was shown. Range: ceiling less "
    "floor. Pixels: the tolerance on the drawn axis, median over items."
)


def certificate_sections(dataset: Dataset) -> list[Section]:
    """The certificate with its flags explained; no section where none was made."""
    if dataset.certificate is None:
        return []
    frame, first = dataset.certificate, _first_seen(dataset)
    records: list[dict[str, Any]] = [
        {str(name): "" if name in TEXTS and pd.isna(value) else value
         for name, value in row.items()}
        for row in frame.to_dict("records")
    ]  # fmt: skip
    for record in records:
        if record["family"] in first:
            item = quote(f"{dataset.name}/{first[record['family']]}")
            record["overlay"] = f"#item={item}&overlay"
    table = Table(
        name="certificate", title="Every field between floor and ceiling", columns=_columns(),
        records=tuple(records), keys=("family", "field"), order="family",
        note=f"{FLAGS} {MEASURES}",
    )  # fmt: skip
    return [Section("certificate", "Certificate", _lead(dataset, frame), tables=(table,))]


def certificate_csv(datasets: Sequence[Dataset]) -> str:
    """The rows of all datasets under one header, as their stage wrote them."""
    frames = [d.certificate for d in datasets if d.certificate is not None]
    rows = pd.concat(frames, ignore_index=True) if frames else pd.DataFrame()
    rows = rows.reindex(columns=list(CERTIFICATE_COLUMNS))
    counts = dict.fromkeys(("pictures", "duplicates"), "Int64")
    return rows.astype(counts).to_csv(index=False, lineterminator="\n")


def _first_seen(dataset: Dataset) -> dict[str, str]:
    """Family to its first item, where the page can show what the ceiling saw of it."""
    if not dataset.browsable or not dataset.baselines("ceiling"):
        return {}
    first = dataset.verdicts.groupby("shard")["item"].min()
    return {str(family): str(item) for family, item in first.items()}


def _columns() -> tuple[Column, ...]:
    return (
        Column("field", "Field"), Column("family", "Family", link="overlay"),
        Column("flags", "Flags"), Column("ceiling", "Ceiling", "percent"),
        Column("floor", "Floor", "percent"), Column("range", "Range", "percent"),
        Column("tolerance_px", "Pixels", "number"), Column("null_share", "Null", "percent"),
        Column("wrong_share", "Wrong", "percent"),
        Column("distinct_values", "Distinct values", "count"),
        Column("derived_from", "Derived from"), Column("formula", "Formula"),
        Column("duplicates", "Duplicate items", "count"),
        Column("items", "Items", "count"), Column("pictures", "Pictures", "count"),
        Column("scope", "Scope"), Column("unit", "Unit"), Column("axis", "Axis"),
    )  # fmt: skip


def _lead(dataset: Dataset, frame: pd.DataFrame) -> str:
    """How many fields, both ends pooled over all verdicts, how many flagged."""
    ends = (("ceiling", "pictures"), ("floor", "items"))
    told = [f"{end} {_pooled(frame, end, weight)}" for end, weight in ends]
    flagged = int(frame["flags"].notna().sum())
    leads = " A family's name leads to what the ceiling saw." if _first_seen(dataset) else ""
    return f"{len(frame):,} fields: {', '.join(told)}, {flagged:,} flagged.{leads}"


def _pooled(frame: pd.DataFrame, end: str, weight: str) -> str:
    known = frame[frame[end].notna()]
    if known.empty:
        return "not asked"
    share = (known[end] * known[weight]).sum() / known[weight].sum()
    return f"{write_value(share, 'percent')} %"
