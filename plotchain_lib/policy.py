"""Policies: everything about judging, read from ``config/policies/{suite}/{policy}.yaml``.

A policy names its suite, how replies are parsed, and one absolute and one relative tolerance per
(family, field). Where a pair has no row, the default rule makes the absolute tolerance from the
true value: ``max(at_least, share_of_magnitude * max(|truth|, magnitude_at_least))``. With
``extends: other`` (in the same folder) a file gives only what differs from the other.

A policy whose rule compares texts (``exact``, ``prefix``, ``lenient``) has no tolerances. Neither
has one of ``decisions``, whose values are scores already: it weighs them, and says from which
weighted mean on an attempt counts as solved.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import yaml

from plotchain_lib.item import PlotChainError

COLUMNS = ["family", "field", "abs_tol", "rel_tol"]
SUITES = ("plotchain", "grab", "matplotgym")
PARSINGS = ("tolerant", "paper", "text", "extracted", "figure")
MATCH_RULES = ("exact", "prefix", "lenient")
DECISIONS = "decisions"
RULES = ("tolerance", *MATCH_RULES, DECISIONS)
# The same safe loader in C where PyYAML has it: every start of the workflow reads the policies.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_OF_NUMBERS = ("tolerant", "paper")
_TEXTS = ("suite", "description", "parsing", "rule")
_TOLERANCE_KEYS = ("columns", "rows", "default")
_REQUIRED = (*_TEXTS, *_TOLERANCE_KEYS)
_WEIGHT_KEYS = ("weights", "solved_at")
_OPTIONAL = ("extends", "extractor", *_WEIGHT_KEYS)
_ABS_DEFAULT = ("at_least", "share_of_magnitude", "magnitude_at_least")

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Default:
    """The tolerances of a pair without a row.

    Attributes:
        at_least: the smallest absolute tolerance, in the field's unit.
        share_of_magnitude: absolute tolerance per magnitude of the truth.
        magnitude_at_least: the smallest magnitude that counts, in the field's unit.
        rel_tol: the relative tolerance.
    """

    at_least: float
    share_of_magnitude: float
    magnitude_at_least: float
    rel_tol: float


@dataclass(frozen=True, slots=True)
class Policy:
    """How answers are judged.

    Attributes:
        name: the file's name without its ending.
        suite: the suite it judges.
        description: one line for the report.
        parsing: ``tolerant`` or ``paper``; ``text`` takes the reply as it stands, ``extracted``
            what a model has copied out of it, ``figure`` what a submitted script draws.
        rule: ``tolerance``, ``decisions``, or one of MATCH_RULES.
        tolerances: (family, field) to (absolute in the field's unit, relative as a fraction).
        default: for the other pairs.
        extractor: the label of the model that copies answers out of replies; empty for none.
        weights: field to its share of an item's score, where values are scores; only the item's
            own fields count.
        solved_at: the item's score from which on an attempt has solved it.
    """

    name: str
    suite: str
    description: str
    parsing: str
    rule: str
    tolerances: Mapping[tuple[str, str], tuple[float, float]]
    default: Default
    extractor: str = ""
    weights: Mapping[str, float] = field(default_factory=dict)
    solved_at: float = 1.0

    def for_rows(
        self, families: list[str], fields: list[str], truths: Floats
    ) -> tuple[Floats, Floats]:
        """The absolute and the relative tolerance of each row; three inputs of one length n."""
        rule = self.default
        magnitude = np.maximum(np.abs(truths), rule.magnitude_at_least)
        absolute = np.maximum(rule.at_least, rule.share_of_magnitude * magnitude)
        relative = np.full(len(truths), rule.rel_tol)
        for place, pair in enumerate(zip(families, fields, strict=True)):
            if pair in self.tolerances:
                absolute[place], relative[place] = self.tolerances[pair]
        return absolute, relative


def load_policy(path: Path) -> Policy:
    """Read a policy and what it extends.

    Raises PlotChainError: one line with the file, the place in it and the remedy.
    """
    record: dict[str, Any] = {}
    tolerances: dict[tuple[str, str], tuple[float, float]] = {}
    for part, source in reversed(list(zip(_chain(path), policy_files(path), strict=True))):
        if record and part.get("suite", record["suite"]) != record["suite"]:
            raise PlotChainError(
                f"{source}: suite is {part['suite']!r} but it extends a policy of "
                f"{record['suite']!r}; extend a policy of the same suite"
            )
        tolerances.update(_rows(part, source))
        record.update(part)
    plain = record.get("rule") in (*MATCH_RULES, DECISIONS)
    required = (*_TEXTS, *(_WEIGHT_KEYS if record.get("rule") == DECISIONS else ()))
    required = required if plain else _REQUIRED
    missing = [key for key in required if key not in record]
    if missing:
        raise PlotChainError(f"{path}: {missing[0]} is missing; add it or extend a full policy")
    _check_rule(record, path)
    folder = path.resolve().parent.name
    if folder in SUITES and record["suite"] != folder:
        raise PlotChainError(
            f"{path}: suite is {record['suite']!r} in the folder of {folder!r}; "
            "move the file or mend its suite"
        )
    texts: dict[str, Any] = {key: str(record[key]) for key in _TEXTS}
    default = Default(0.0, 0.0, 0.0, 0.0) if plain else _default(record["default"], path)
    texts["extractor"] = str(record.get("extractor", ""))
    policy = Policy(name=path.stem, tolerances=tolerances, default=default, **texts)
    return _weighing(policy, record, path) if policy.rule == DECISIONS else policy


def _check_rule(record: Mapping[str, Any], path: Path) -> None:
    """Each rule judges what one sort of parsing gives, and has its own keys."""
    rule, matches = record["rule"], record["rule"] in MATCH_RULES
    weighs = rule == DECISIONS
    if (matches or weighs) and (given := [key for key in _TOLERANCE_KEYS if key in record]):
        raise PlotChainError(f"{path}: rule {rule} has no tolerances; remove {given[0]}")
    if not weighs and (given := [key for key in _WEIGHT_KEYS if key in record]):
        raise PlotChainError(f"{path}: rule {rule} weighs nothing; remove {given[0]}")
    if (record["parsing"] == "extracted") != ("extractor" in record):
        remedy = (
            "parsing: extracted" if "extractor" in record else "extractor: a label under models"
        )
        raise PlotChainError(f"{path}: parsing extracted and extractor go together; add {remedy}")
    allowed = ("figure",) if weighs else ("text", "extracted") if matches else _OF_NUMBERS
    if record["parsing"] not in allowed:
        raise PlotChainError(
            f"{path}: rule {rule} cannot judge this parsing; write parsing: {allowed[0]}"
        )


def _weighing(policy: Policy, record: Mapping[str, Any], path: Path) -> Policy:
    """The policy with its weights and the bound of solving, checked."""
    weights, bound = record["weights"], record["solved_at"]
    if not isinstance(weights, dict) or not all(isinstance(name, str) for name in weights):
        raise PlotChainError(f"{path}: weights is no mapping; write a weight for each decision")
    found = {name: _tolerance(weights[name], f"{path}: weights: {name}") for name in weights}
    if not sum(found.values()) > 0:
        raise PlotChainError(f"{path}: weights are all 0; give one decision a weight")
    solved = _tolerance(bound, f"{path}: solved_at")
    if not 0 < solved <= 1:
        raise PlotChainError(f"{path}: solved_at is {bound!r}; write a score in (0, 1]")
    return replace(policy, weights=found, solved_at=solved)


def policy_files(path: Path) -> list[Path]:
    """The policy file and those it extends, nearest first: everything that judging depends on."""
    files = [path]
    for record in _chain(path):
        if "extends" in record:
            files.append(files[-1].with_name(f"{record['extends']}.yaml"))
    return files


def _chain(path: Path) -> list[dict[str, Any]]:
    """The records of the policy and of those it extends, nearest first."""
    records, seen = [], [path]
    while True:
        record = _read(seen[-1])
        records.append(record)
        if "extends" not in record:
            return records
        parent = seen[-1].with_name(f"{record['extends']}.yaml")
        if parent in seen:
            names = " -> ".join(file.stem for file in [*seen, parent])
            raise PlotChainError(f"{path}: extends runs in a circle ({names}); break it")
        if not parent.is_file():
            raise PlotChainError(
                f"{seen[-1]}: extends {record['extends']!r}, but {parent} is not there; mend it"
            )
        seen.append(parent)


def _read(path: Path) -> dict[str, Any]:
    """One file, its keys and plain values checked."""
    try:
        record = yaml.load(path.read_text(encoding="utf-8"), Loader=_LOADER)  # noqa: S506  safe
    except OSError as error:
        raise PlotChainError(
            f"{path}: cannot be read ({error.strerror}); check the policy's name"
        ) from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        mark = getattr(error, "problem_mark", None)
        line = f":{mark.line + 1}" if mark else ""
        raise PlotChainError(f"{path}{line}: not valid YAML; mend the line") from error
    if not isinstance(record, dict):
        raise PlotChainError(f"{path}: expected keys and values; see the other policies")
    for key in record:
        if key not in (*_REQUIRED, *_OPTIONAL):
            known = ", ".join((*_OPTIONAL, *_REQUIRED))
            raise PlotChainError(f"{path}: unknown key {key!r}; known are {known}")
    _check_texts(record, path)
    return cast(dict[str, Any], record)


def _check_texts(record: Mapping[str, Any], path: Path) -> None:
    for key in (*_TEXTS, "extends", "extractor"):
        if key in record and not isinstance(record[key], str):
            raise PlotChainError(f"{path}: {key} is {record[key]!r}; write one line of text")
    for key, allowed in (("suite", SUITES), ("parsing", PARSINGS), ("rule", RULES)):
        if key in record and record[key] not in allowed:
            raise PlotChainError(f"{path}: {key} is {record[key]!r}; use {' or '.join(allowed)}")
    if "/" in record.get("extends", "") or "\\" in record.get("extends", ""):
        raise PlotChainError(f"{path}: extends is a path; name a policy of the same folder")
    if "columns" in record and record["columns"] != COLUMNS:
        given = record["columns"] if isinstance(record["columns"], list) else []
        missing = [column for column in COLUMNS if column not in given]
        what = f"the column {missing[0]!r} is missing" if missing else "the columns differ"
        raise PlotChainError(f"{path}: {what}; write columns: [{', '.join(COLUMNS)}]")


def _rows(record: Mapping[str, Any], path: Path) -> dict[tuple[str, str], tuple[float, float]]:
    rows = record.get("rows", [])
    if not isinstance(rows, list):
        raise PlotChainError(f"{path}: rows is no list; write one row a line, each [a, b, c, d]")
    tolerances: dict[tuple[str, str], tuple[float, float]] = {}
    for number, row in enumerate(rows, start=1):
        place = f"{path}: row {number}"
        if not isinstance(row, list) or len(row) != len(COLUMNS):
            raise PlotChainError(f"{place} needs {len(COLUMNS)} values; write {COLUMNS}")
        family, field, absolute, relative = row
        if not isinstance(family, str) or not isinstance(field, str):
            raise PlotChainError(f"{place}: family and field must be names; mend {row[:2]}")
        if (family, field) in tolerances:
            raise PlotChainError(f"{place} repeats {family}/{field}; keep one of the two rows")
        tolerances[family, field] = (
            _tolerance(absolute, f"{place} ({family}/{field}): abs_tol"),
            _tolerance(relative, f"{place} ({family}/{field}): rel_tol"),
        )
    return tolerances


def _default(record: Any, path: Path) -> Default:
    absolute = record.get("abs_tol") if isinstance(record, dict) else None
    if not isinstance(absolute, dict) or set(record) != {"abs_tol", "rel_tol"}:
        raise PlotChainError(f"{path}: default needs abs_tol (with its three keys) and rel_tol")
    if set(absolute) != set(_ABS_DEFAULT):
        raise PlotChainError(f"{path}: default: abs_tol needs exactly {', '.join(_ABS_DEFAULT)}")
    parts = {key: _tolerance(absolute[key], f"{path}: default: {key}") for key in _ABS_DEFAULT}
    return Default(rel_tol=_tolerance(record["rel_tol"], f"{path}: default: rel_tol"), **parts)


def _tolerance(value: Any, place: str) -> float:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not math.isfinite(value) or value < 0:
        raise PlotChainError(f"{place} is {value!r}; write a number from 0 up, such as 0.001")
    return float(value)


def default_pairs(policy: Policy, pairs: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Those of the (family, field) pairs that the default rule judges, sorted."""
    return sorted(pair for pair in set(pairs) if pair not in policy.tolerances)
