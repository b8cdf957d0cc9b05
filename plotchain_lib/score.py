"""Answers to verdicts: every requested value beside its truth, its errors and its tolerances.

A value p passes against the truth g if ``|p - g| <= abs_tol`` or
``|p - g| / max(|g|, 1e-12) <= rel_tol`` (arXiv 2602.13232, section IV-C). A missing value fails and
has no error. Everything is vectorised over rows.

Where a suite asks for texts instead, a match rule compares the text that was written with the one
right text: `exact` (arXiv 2408.11817, section 4.2.3), `prefix` (as in that paper's example), or a
rule of the suite.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from difflib import get_close_matches
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from plotchain_lib.derivation import Derivation, recomputed
from plotchain_lib.item import ANSWER_COLUMNS, SCORE_COLUMNS, Item, PlotChainError
from plotchain_lib.policy import Policy

TRUTH_COLUMNS = ("item", "shard", "group", "difficulty", "scope", "field", "truth")
# What verdicts on texts have beside SCORE_COLUMNS: what was written (its beginning), the one right
# text, and the precision it was asked in.
TEXT_COLUMNS = ("written", "expected", "precision")
SMALLEST_TRUTH = 1e-12  # below it the relative error is taken of this, as published
_CALL = ["dataset", "model", "item", "repeat"]
_WRITTEN = 200  # characters of what was written that a verdict keeps

Match = Callable[[str, str], bool]
Floats = npt.NDArray[np.float64]


def truth_table(items: Iterable[Item]) -> pd.DataFrame:
    """One row per item and requested field, with the columns TRUTH_COLUMNS.

    Raises PlotChainError for an item without the truth of a field, or with one that is no number.
    """
    rows = []
    for item in items:
        for field in item.fields:
            truth = item.truth.get(field.name)
            if not isinstance(truth, int | float) or not np.isfinite(truth):
                raise PlotChainError(
                    f"item {item.id}: the truth of {field.name} is {truth!r}, which is no number; "
                    "mend the item or make the dataset again"
                )
            place = (item.id, item.shard, item.group, item.difficulty, field.scope, field.name)
            rows.append((*place, float(truth)))
    frame = pd.DataFrame(rows, columns=list(TRUTH_COLUMNS))
    return frame.astype({**dict.fromkeys(TRUTH_COLUMNS[:-1], "str"), "truth": "float64"})


def exact(written: str, expected: str) -> bool:
    """Leading white space removed, then the same characters and no more."""
    return written.lstrip() == expected


def prefix(written: str, expected: str) -> bool:
    """Leading white space removed, cut to the right text's length: "10" passes for "1"."""
    return written.lstrip()[: len(expected)] == expected


def match_rule(name: str) -> Match:
    """The match rule all suites have of this name. Raises PlotChainError where there is none."""
    rules: dict[str, Match] = {"exact": exact, "prefix": prefix}
    if name not in rules:
        raise PlotChainError(f"no match rule {name!r} in this suite; use {' or '.join(rules)}")
    return rules[name]


def text_truth_table(items: Iterable[Item]) -> pd.DataFrame:
    """As `truth_table`, of items whose truths are texts; ``expected`` and ``precision`` beside.

    ``truth`` is the right text as a number, NaN where it is none. Raises PlotChainError for an
    item without a text as the truth of a field.
    """
    rows = []
    for item in items:
        for field in item.fields:
            truth = item.truth.get(field.name)
            if not isinstance(truth, str) or not truth:
                raise PlotChainError(
                    f"item {item.id}: the truth of {field.name} is {truth!r}, which is no text; "
                    "mend the item or make the dataset again"
                )
            place = (item.id, item.shard, item.group, item.difficulty, field.scope, field.name)
            rows.append((*place, _number(truth), truth, str(item.params.get("precision", ""))))
    frame = pd.DataFrame(rows, columns=[*TRUTH_COLUMNS, "expected", "precision"])
    return frame.astype({**dict.fromkeys(frame.columns, "str"), "truth": "float64"})


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return np.nan


def score_texts(
    answers: pd.DataFrame, truth: pd.DataFrame, policy: Policy, match: Match
) -> pd.DataFrame:
    """Judge what was written, character by character or however `match` compares.

    As `score`, but the verdict is ``match(text, expected)``, tolerances are NaN, and the frame has
    TEXT_COLUMNS after SCORE_COLUMNS. `truth` is what `text_truth_table` makes of the items.
    """
    rows = _truth_rows(answers, truth)
    value, target = _values(answers), truth["truth"].to_numpy(float)[rows]
    expected = truth["expected"].to_numpy(object)[rows]
    written = answers["text"].fillna("").to_numpy(object)
    answered = (answers["outcome"] == "answered").to_numpy(bool)
    pairs = zip(written, expected, answered, strict=True)
    passed = np.array([ok and match(one, other) for one, other, ok in pairs], dtype=bool)
    none = np.full(len(rows), np.nan)
    verdicts = _verdicts(value, target, none, none) | {
        "score": passed.astype(float),
        "passed": passed,
    }
    frame = _judged(answers, truth, rows, policy, value=value, truth_of_row=target, **verdicts)
    texts = [text[:_WRITTEN] if ok else "" for text, ok in zip(written, answered, strict=True)]
    precision = truth["precision"].to_numpy(object)[rows]
    beside = {"written": texts, "expected": list(expected), "precision": list(precision)}
    for name in TEXT_COLUMNS:
        frame[name] = pd.Series(beside[name], index=frame.index, dtype="str")
    return frame


def check_fields(policy: Policy, truth: pd.DataFrame, source: str) -> None:
    """Raise PlotChainError where a policy has a row for a field its family does not ask for.

    Such a row is a typo: the field meant would be judged by the default rule without a word.
    Families that are not among the items are left alone.
    """
    asked = {group: set(rows) for group, rows in truth.groupby("group")["field"]}
    for family, field in policy.tolerances:
        if family in asked and field not in asked[family]:
            known = sorted(asked[family])
            close = get_close_matches(field, known, n=1)
            hint = f"did you mean {close[0]!r}?" if close else f"known are: {', '.join(known)}"
            raise PlotChainError(f"{source}: rows: {family} has no field {field!r}; {hint}")


def score(
    answers: pd.DataFrame,
    truth: pd.DataFrame,
    policy: Policy,
    derivation: Derivation | None = None,
) -> pd.DataFrame:
    """Judge answers.

    Args:
        answers: columns ANSWER_COLUMNS, of one or more models.
        truth: what `truth_table` makes of the items.
        policy: the tolerances.
        derivation: how fields follow from others; where the truth keeps a relation, ``derived`` is
            the field recomputed from the same answer's other fields, else NaN.

    Returns a frame with exactly SCORE_COLUMNS, one row per row of `answers`, in that order.
    ``abs_err`` is in the field's unit, ``rel_err`` a fraction; both NaN without a value. Rows of a
    pending call stay, with ``value`` NaN and ``passed`` False.

    Raises PlotChainError for a missing column, an answer to an unknown item or field, and a field
    answered twice in one call.
    """
    rows = _truth_rows(answers, truth)
    target = truth["truth"].to_numpy(float)
    tolerances = policy.for_rows(truth["group"].tolist(), truth["field"].tolist(), target)
    room = np.maximum(tolerances[0], tolerances[1] * np.maximum(np.abs(target), SMALLEST_TRUTH))
    abs_tol, rel_tol = (tolerance[rows] for tolerance in tolerances)
    target = target[rows]
    value = _values(answers)
    verdicts = _verdicts(value, target, abs_tol, rel_tol)
    frame = _judged(answers, truth, rows, policy, value=value, truth_of_row=target, **verdicts)
    frame["derived"] = _derived(frame, value, truth.assign(room=room), derivation)
    return frame


def judged_rows(answers: pd.DataFrame, truth: pd.DataFrame, policy: Policy) -> pd.DataFrame:
    """The frame of `score` with values and truths, and no tolerances: nothing has passed yet."""
    rows = _truth_rows(answers, truth)
    none = np.full(len(rows), np.nan)
    value, target = _values(answers), truth["truth"].to_numpy(float)[rows]
    verdicts = _verdicts(value, target, none, none)
    return _judged(answers, truth, rows, policy, value=value, truth_of_row=target, **verdicts)


def _values(answers: pd.DataFrame) -> Floats:
    """Each answer's number; NaN where the call brought none."""
    value = answers["value"].to_numpy(float, na_value=np.nan).copy()
    value[(answers["outcome"] != "answered").to_numpy(bool) | ~np.isfinite(value)] = np.nan
    return value


def _judged(
    answers: pd.DataFrame,
    truth: pd.DataFrame,
    rows: npt.NDArray[np.intp],
    policy: Policy,
    *,
    truth_of_row: Floats,
    **columns: npt.NDArray[Any],
) -> pd.DataFrame:
    """The verdicts under SCORE_COLUMNS, nothing derived yet."""
    places = truth[["shard", "group", "difficulty", "scope"]].take(rows)
    frame = answers[[*_CALL, "field", "outcome"]].reset_index(drop=True)
    frame = pd.concat([frame, places.reset_index(drop=True)], axis=1).assign(
        policy=pd.Series(policy.name, index=frame.index, dtype="str"),
        truth=truth_of_row,
        derived=np.nan,
        **columns,
    )
    return frame[list(SCORE_COLUMNS)]


def _verdicts(
    value: Floats, target: Floats, abs_tol: Floats, rel_tol: Floats
) -> dict[str, npt.NDArray[Any]]:
    """The published rule on arrays of one shape; comparisons with NaN are False."""
    with np.errstate(over="ignore"):
        abs_err = np.abs(value - target)
        rel_err = abs_err / np.maximum(np.abs(target), SMALLEST_TRUTH)
    passed = (abs_err <= abs_tol) | (rel_err <= rel_tol)
    return {
        "abs_err": abs_err,
        "rel_err": rel_err,
        "abs_tol": abs_tol,
        "rel_tol": rel_tol,
        "score": passed.astype(float),
        "passed": passed,
    }


def _truth_rows(answers: pd.DataFrame, truth: pd.DataFrame) -> npt.NDArray[np.intp]:
    """For each answer the place of its row in `truth`. Plain dictionaries: faster than a merge."""
    for name, frame, columns in (
        ("answers", answers, ANSWER_COLUMNS),
        ("truth", truth, TRUTH_COLUMNS),
    ):
        missing = [column for column in columns if column not in frame.columns]
        if missing:
            raise PlotChainError(
                f"{name}: column {missing[0]!r} is missing; delete the file and run again"
            )
    place = {key: n for n, key in enumerate(zip(truth["item"], truth["field"], strict=True))}
    if len(place) < len(truth):
        raise PlotChainError("truth: an item has a field twice; make the dataset again")
    keys = zip(answers["item"].tolist(), answers["field"].tolist(), strict=True)
    rows = np.fromiter((place.get(key, -1) for key in keys), np.intp, len(answers))
    if (rows < 0).any():
        item, field = answers[["item", "field"]].iloc[int(np.argmin(rows))]
        raise PlotChainError(
            f"answers: {item} has no field {field!r} in this dataset; the answers are of another "
            "version of it, delete them and run again"
        )
    twice = answers.duplicated([*_CALL, "field"], keep=False).to_numpy(bool)
    if twice.any():
        _, model, item, repeat, field = answers[[*_CALL, "field"]].iloc[int(np.argmax(twice))]
        raise PlotChainError(
            f"answers: {model} answers {field} of {item} twice in repeat {repeat}; delete the "
            "answers and run again"
        )
    return rows


def _derived(
    frame: pd.DataFrame, value: Floats, truth: pd.DataFrame, derivation: Derivation | None
) -> Floats:
    """Each row's field recomputed from the same call's other fields; NaN where it cannot be."""
    derived = np.full(len(frame), np.nan)
    if derivation is None or frame.empty:
        return derived
    calls = frame.groupby(_CALL, sort=False, dropna=False).ngroup().to_numpy()
    codes, names = pd.factorize(frame["field"].to_numpy(object))
    items, item_names = pd.factorize(frame["item"].to_numpy(object))
    column = {str(name): place for place, name in enumerate(names)}
    answered = np.full((int(calls.max()) + 1, len(names)), np.nan)
    answered[calls, codes] = value
    for relation, given in derivation.kept(truth):
        if relation.field not in column or any(name not in column for name in relation.inputs):
            continue
        printed = given.reindex(item_names)
        rows = np.flatnonzero(
            (codes == column[relation.field]) & np.isin(item_names, given.index)[items]
        )
        inputs = [answered[calls[rows], column[name]] for name in relation.inputs]
        inputs += [printed[name].to_numpy(float)[items[rows]] for name in relation.given]
        derived[rows] = recomputed(relation, inputs)
    return derived
