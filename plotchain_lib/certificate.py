"""The certificate of a dataset: can what is asked be read, and not guessed?

One row per family and field: what the ceiling (a reader of pixels) and the floor (a guesser that
never looks) pass of it, and every defect that can be told from items, verdicts and pictures. The
flags are defined in docs/certificate.md; a column whose model was not asked is empty, not zero.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from plotchain_lib.derivation import Derivation
from plotchain_lib.item import Field, Item, Relation

COLUMNS = (
    "dataset", "family", "field", "unit", "scope", "axis", "items", "pictures", "ceiling", "floor",
    "range", "distinct_values", "tolerance_px", "null_share", "wrong_share", "flags",
    "derived_from", "formula", "duplicates",
)  # fmt: skip
ENOUGH = 0.95  # of the items: a ceiling below it, or a floor from it on, is a defect
HALF = 0.5  # of the items: so often must a number be given away
FEWEST_ITEMS = 5  # a line through fewer proves nothing
FEWEST_VALUES = 3
COARSE_STEPS = 25  # values over fewer rounding steps are a list of choices, not rounded at all
EXACT = 1e-9  # of the values' size
ROUNDED = 1.5  # times half a step: the error of both ends of a line fitted to rounded values

Pair = tuple[str, str]  # family and field
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a certificate rests on beside items and verdicts.

    Attributes:
        ceiling, floor: the labels of the reader and of the blind guesser; empty where not asked.
        relations: how fields follow from others, as the suite declares it.
        axes: the scale of the axis a field is read on, ``linear``, ``log`` or ``mixed``.
        digests: item id to the SHA-256 of its picture's bytes; items without a picture are absent.
        validation: columns ``shard, field, tolerance_px_median`` (pixels); None for a release.
    """

    ceiling: str = ""
    floor: str = ""
    relations: Sequence[Relation] = ()
    axes: Mapping[Pair, str] | None = None
    digests: Mapping[str, str] | None = None
    validation: pd.DataFrame | None = None


def certificate(items: Iterable[Item], scores: pd.DataFrame, evidence: Evidence) -> pd.DataFrame:
    """The certificate of one dataset.

    Args:
        items: all of them; those without a verdict were not asked and do not count.
        scores: verdicts under the headline policy, columns SCORE_COLUMNS, of all models.
        evidence: labels, relations, pictures, pixels.

    Returns a frame with exactly COLUMNS, one row per family and field, families sorted, fields in
    the order they are asked. ``ceiling``, ``floor``, ``null_share`` and ``wrong_share`` are shares,
    ``range`` is ceiling less floor, ``tolerance_px`` pixels; None where unknown. ``flags`` are
    joined by ``"; "``.
    """
    judged = set(scores["item"])
    asked = [item for item in items if item.id in judged]
    fields = _fields(asked)
    rows = _facts(scores, fields)
    for pair, entry in _rates(scores, evidence).items():
        rows[pair] |= entry
    for pair, axis in (evidence.axes or {}).items():
        if pair in rows:
            rows[pair]["axis"] = axis
    derivation = Derivation.of(asked, evidence.relations)
    for pair, (names, formula) in _derived(scores, fields, derivation).items():
        rows[pair] |= {"derived_from": names, "formula": formula}
    for pair, pixels in _pixels(asked, evidence.validation).items():
        if pair in rows:
            rows[pair]["tolerance_px"] = pixels
    given, duplicates = given_away(asked), duplicate_items(asked, evidence.digests)
    for pair, row in rows.items():
        row["duplicates"] = None if duplicates is None else duplicates[pair[0]]
        row["flags"] = "; ".join(_flags(row, pair in given))
    records = [[row.get(name) for name in COLUMNS] for row in rows.values()]
    return pd.DataFrame(records, columns=list(COLUMNS), dtype=object)


def _fields(items: Iterable[Item]) -> dict[Pair, Field]:
    """Every field of every family, as first asked."""
    fields: dict[Pair, Field] = {}
    for item in items:
        for field in item.fields:
            fields.setdefault((item.group, field.name), field)
    return fields


def _facts(scores: pd.DataFrame, fields: Mapping[Pair, Field]) -> dict[Pair, dict[str, Any]]:
    """What a row says whoever was asked."""
    verdicts = scores.drop_duplicates(["item", "field"])
    groups = verdicts.groupby(["group", "field"], observed=True)
    return {
        pair: {
            "dataset": str(rows["dataset"].iloc[0]), "family": pair[0], "field": field.name,
            "unit": field.unit, "scope": field.scope, "items": len(rows),
            "distinct_values": rows["expected" if "expected" in rows else "truth"].nunique(),
            "axis": "", "derived_from": "", "formula": "",
        }
        for pair, field in sorted(fields.items(), key=lambda entry: entry[0][0])
        for rows in [groups.get_group(pair)]
    }  # fmt: skip


def _rates(scores: pd.DataFrame, evidence: Evidence) -> dict[Pair, dict[str, Any]]:
    """What ceiling and floor pass of each pair; of the ceiling, what was not left pending."""
    rates: dict[Pair, dict[str, Any]] = {}
    for pair, rows in _verdicts_of(scores, evidence.ceiling):
        seen = rows[rows["outcome"] != "pending"]
        rates[pair] = {"pictures": seen["item"].nunique()}
        if len(seen):
            null, passed = _nulls(seen), seen["passed"].astype(bool)
            rates[pair]["ceiling"] = float(passed.mean())
            rates[pair]["null_share"] = float(null.mean())
            rates[pair]["wrong_share"] = float((~null & ~passed).mean())
    for pair, rows in _verdicts_of(scores, evidence.floor):
        entry = rates.setdefault(pair, {})
        entry["floor"] = float(rows["passed"].mean())
        if "ceiling" in entry:
            entry["range"] = round(entry["ceiling"] - entry["floor"], 12)
    return rates


def _nulls(verdicts: pd.DataFrame) -> pd.Series[bool]:
    """Which verdicts are on no answer: no value, or, where a text is asked, no text."""
    if "written" in verdicts:
        return verdicts["written"].fillna("").str.strip() == ""
    return verdicts["value"].isna()


def _verdicts_of(scores: pd.DataFrame, label: str) -> Iterator[tuple[Pair, pd.DataFrame]]:
    for (group, field), rows in scores[scores["model"] == label].groupby(["group", "field"]):
        yield (str(group), str(field)), rows


def _flags(row: Mapping[str, Any], given: bool) -> list[str]:
    ceiling, floor = row.get("ceiling"), row.get("floor")
    found = {
        "unreadable": ceiling is not None and ceiling < ENOUGH,
        "given away": given,
        "constant": row["distinct_values"] == 1 or (floor is not None and floor >= ENOUGH),
        "derived": bool(row["derived_from"]),
        "duplicate": bool(row["duplicates"]),
    }
    return [flag for flag, holds in found.items() if holds]


_LIST_MARK = re.compile(r"^\s*\d+[.)](?=\s)", re.MULTILINE)
_NUMBER = re.compile(r"(?<![\w.])[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?![\d_])")


def given_away(items: Iterable[Item]) -> set[Pair]:
    """The pairs whose true number stands in the prompt of at least half of their items.

    A number of the prompt is the truth if it equals it, or if it is the truth rounded to three or
    more significant digits. Digits inside names and before the lines of a list do not count.
    """
    asked: Counter[Pair] = Counter()
    given: Counter[Pair] = Counter()
    for item in items:
        text = _LIST_MARK.sub("", item.prompt.replace("−", "-"))
        numbers = [Decimal(number) for number in _NUMBER.findall(text)]
        for field in item.fields:
            pair, truth = (item.group, field.name), item.truth[field.name]
            if isinstance(truth, str):  # a text's digits say nothing of its parts
                continue
            asked[pair] += 1
            given[pair] += any(_is_truth(number, float(truth)) for number in numbers)
    return {pair for pair, count in asked.items() if given[pair] >= HALF * count}


def _is_truth(number: Decimal, truth: float) -> bool:
    _, digits, exponent = number.as_tuple()
    room = EXACT * abs(truth)
    if len(digits) >= 3 and isinstance(exponent, int):
        room = max(room, 0.5 * 10.0 ** min(exponent, 300))
    return abs(float(number) - truth) <= room


def _derived(
    scores: pd.DataFrame, fields: Mapping[Pair, Field], derivation: Derivation
) -> dict[Pair, tuple[str, str]]:
    """The pairs that follow from others, to those others' names and the declared formula."""
    found: dict[Pair, tuple[str, str]] = {}
    verdicts = scores.drop_duplicates(["item", "field"])
    for group, rows in verdicts.groupby("group"):
        family = str(group)
        own = {field.name: field for pair, field in fields.items() if pair[0] == family}
        names = linear(rows.pivot(index="item", columns="field", values="truth"), own)
        found |= {(family, field): (name, "") for field, name in names.items()}
    return found | declared(verdicts, derivation)


def declared(verdicts: pd.DataFrame, derivation: Derivation) -> dict[Pair, tuple[str, str]]:
    """The pairs that follow by a relation that the truth keeps, to its inputs and its formula.

    `verdicts` has one row per item and field; what passes is the policy's.
    """
    room = np.maximum(verdicts["abs_tol"], verdicts["rel_tol"] * verdicts["truth"].abs())
    return {
        (relation.family, relation.field): (", ".join(relation.inputs), relation.formula)
        for relation, _ in derivation.kept(verdicts.assign(room=room))
    }


def linear(truths: pd.DataFrame, fields: Mapping[str, Field]) -> dict[str, str]:
    """One family's fields that are a linear function of one other field, to that other's name.

    `truths` has one row per item and one column per field, NaN where it is not asked. Both of two
    such fields are found; of several others the first asked is named.
    """
    found = {}
    for name, field in fields.items():
        own = truths[truths[name].notna()]
        for other in (fields[o] for o in fields if o != name and own[o].notna().all()):
            y, x = own[name].to_numpy(float), own[other.name].to_numpy(float)
            if follows(y, x, _half_step(y, field), _half_step(x, other)):
                found[name] = other.name
                break
    return found


def follows(y: Floats, x: Floats, half_y: float, half_x: float) -> bool:
    """Whether y is a linear function of x (both shape (n,)), each rounded to twice its half step.

    Never with fewer than five items or fewer than three distinct values.
    """
    if len(y) < FEWEST_ITEMS or min(len(np.unique(y)), len(np.unique(x))) < FEWEST_VALUES:
        return False
    with np.errstate(all="ignore"):
        centred = x - x.mean()
        slope = centred @ y / (centred @ centred)
        room = ROUNDED * (half_y + np.abs(slope) * half_x) + EXACT * np.abs(y).max()
        return bool(np.ptp(y - slope * x) / 2 <= room)


def _half_step(values: Floats, field: Field) -> float:
    """Half of the last decimal that values were rounded to; 0 where they were not."""
    decimals = field.decimals
    if decimals is None:
        exponents = (Decimal(f"{value:.12g}").normalize().as_tuple().exponent for value in values)
        decimals = max(-int(exponent) for exponent in exponents)
    step = 10.0**-decimals
    return 0.5 * step if np.ptp(values) >= COARSE_STEPS * step else 0.0


def duplicate_items(
    items: Sequence[Item], digests: Mapping[str, str] | None
) -> Counter[str] | None:
    """Family to the number of items whose picture bytes and prompt equal another item's.

    None where no picture is known.
    """
    if not digests:
        return None
    looks = {item.id: (digests[item.id], item.prompt) for item in items if item.id in digests}
    counts = Counter(looks.values())
    return Counter(i.group for i in items if i.id in looks and counts[looks[i.id]] > 1)


def _pixels(items: Collection[Item], validation: pd.DataFrame | None) -> dict[Pair, float]:
    """The median tolerance of each pair, in pixels; a family has the median of its shards."""
    if validation is None:
        return {}
    pairs = dict.fromkeys((item.shard, item.group) for item in items)
    joined = validation.merge(pd.DataFrame(list(pairs), columns=["shard", "group"]), on="shard")
    medians = joined.groupby(["group", "field"], as_index=False)["tolerance_px_median"].median()
    columns = (medians[name].tolist() for name in ("group", "field", "tolerance_px_median"))
    return {(group, field): pixels for group, field, pixels in zip(*columns, strict=True)}
