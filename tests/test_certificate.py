"""The certificate: what each column and each flag says, on items small enough to count by hand."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from plotchain_lib import suites
from plotchain_lib.certificate import (
    COLUMNS,
    Evidence,
    certificate,
    declared,
    duplicate_items,
    follows,
    given_away,
    linear,
)
from plotchain_lib.derivation import Derivation
from plotchain_lib.item import ANSWER_COLUMNS, SCORE_COLUMNS, Field, Item, Relation
from plotchain_lib.manifest import sha256
from plotchain_lib.policy import load_policy
from plotchain_lib.releases import read_release
from plotchain_lib.score import score, truth_table

POLICY = Path(__file__).parents[1] / "config" / "policies" / "plotchain" / "plotread.yaml"
BOTH = Evidence(ceiling="reader", floor="blind")


def an_item(number: int, prompt: str = "Read it.", family: str = "pump", **truth: float) -> Item:
    fields = tuple(Field(name, "V", "", "final") for name in truth)
    return Item(f"{family}_{number}", "plotchain", family, family, prompt, None, fields, truth,
                {}, 0, "clean")  # fmt: skip


def verdict(
    item: Item, model: str, field: str, value: float | None, **other: Any
) -> dict[str, Any]:
    """A value within 0.1 of the truth passes."""
    truth = float(item.truth[field])
    passed = value is not None and abs(value - truth) <= 0.1
    row = {"dataset": "d", "model": model, "item": item.id, "repeat": 1, "group": item.group,
           "field": field, "value": np.nan if value is None else value, "truth": truth,
           "abs_tol": 0.1, "rel_tol": 0.0, "passed": passed, "outcome": "answered"}  # fmt: skip
    return dict.fromkeys(SCORE_COLUMNS) | row | other


def judged(items: Sequence[Item], model: str = "m", value: float | None = None) -> pd.DataFrame:
    """One model that gives one value for everything."""
    rows = [verdict(item, model, name, value) for item in items for name in item.truth]
    return pd.DataFrame(rows, columns=list(SCORE_COLUMNS))


def row_of(table: pd.DataFrame, field: str) -> dict[str, Any]:
    (row,) = table[table["field"] == field].to_dict("records")
    return {str(name): value for name, value in row.items()}


def test_rates_are_counted_over_what_was_seen_and_over_all() -> None:
    items = [an_item(n, v=float(n)) for n in range(1, 5)]
    # Of the reader: a hit, a miss and a null; the fourth picture is missing.
    given = [(1.0, "answered"), (9.0, "answered"), (None, "answered"), (None, "pending")]
    rows = [verdict(item, "reader", "v", value, outcome=outcome)
            for item, (value, outcome) in zip(items, given, strict=True)]  # fmt: skip
    rows += [verdict(item, "blind", "v", 2.0) for item in items]
    table = certificate(items, pd.DataFrame(rows), BOTH)
    assert tuple(table.columns) == COLUMNS
    row = row_of(table, "v")
    assert (row["dataset"], row["family"], row["unit"], row["scope"]) == ("d", "pump", "V", "final")
    assert (row["items"], row["pictures"], row["distinct_values"]) == (4, 3, 4)
    assert row["ceiling"] == row["null_share"] == pytest.approx(1 / 3)
    assert row["wrong_share"] == pytest.approx(1 / 3)
    assert row["floor"] == 0.25
    assert row["range"] == pytest.approx(1 / 3 - 1 / 4)
    assert row["flags"] == "unreadable"


def test_whoever_was_not_asked_leaves_no_number() -> None:
    items = [an_item(n, v=float(n)) for n in range(2)]
    row = row_of(certificate(items, judged(items), Evidence()), "v")
    empty = ("pictures", "ceiling", "floor", "range", "null_share", "wrong_share",
             "tolerance_px", "duplicates")  # fmt: skip
    assert [row[name] for name in empty] == [None] * len(empty)
    assert row["flags"] == ""
    pending = judged(items, "reader").assign(outcome="pending")
    row = row_of(certificate(items, pending, BOTH), "v")
    assert (row["pictures"], row["ceiling"], row["flags"]) == (0, None, "")


def test_of_texts_a_null_is_an_empty_one() -> None:
    items = [an_item(n, v=float(n)) for n in range(4)]
    rows = [verdict(item, "reader", "v", value)
            for item, value in zip(items, (0.0, None, None, 9.0), strict=True)]  # fmt: skip
    written = pd.DataFrame(rows).assign(written=["0", "", "[1, 2]", "9"], expected=["0"] * 4)
    row = row_of(certificate(items, written, BOTH), "v")
    # A pair has no value and is an answer nevertheless.
    assert (row["ceiling"], row["null_share"], row["wrong_share"]) == (0.25, 0.25, 0.5)


@pytest.mark.parametrize(("misses", "flags"), [(0, ""), (1, ""), (2, "unreadable")])
def test_unreadable_is_a_ceiling_under_95_percent(misses: int, flags: str) -> None:
    items = [an_item(n, v=float(n)) for n in range(20)]
    rows = [verdict(item, "reader", "v", -5.0 if n < misses else float(n))
            for n, item in enumerate(items)]  # fmt: skip
    assert row_of(certificate(items, pd.DataFrame(rows), BOTH), "v")["flags"] == flags


@pytest.mark.parametrize(
    ("truths", "flags"),
    [([3.0] * 20, "constant"), ([3.0] * 19 + [4.0], "constant"), ([3.0] * 18 + [4.0, 5.0], "")],
)
def test_constant_is_one_value_or_a_floor_of_95_percent(truths: list[float], flags: str) -> None:
    items = [an_item(n, v=truth) for n, truth in enumerate(truths)]
    assert row_of(certificate(items, judged(items, "blind", 3.0), BOTH), "v")["flags"] == flags
    alone = [an_item(n, v=3.0) for n in range(2)]
    assert row_of(certificate(alone, judged(alone), Evidence()), "v")["flags"] == "constant"


@pytest.mark.parametrize(
    ("prompt", "truth", "given"),
    [
        ("A line shows I_target = 0.020 A.", 0.02, True),
        ("at 50Hz, or so", 50.0, True),
        ("from −45 to 45 degrees", -45.0, True),
        ("10-20 V", 20.0, True),
        ("the load is 134.0 N", 133.97, True),
        ("about 1e3 cycles.", 1000.0, True),
        ("the load is 13 N", 13.4, False),
        ("1) overshoot\n2) steady state", 1.0, False),
        ('the key "stress_at_1e5_mpa"', 1e5, False),
        ("version 1.2.3", 2.3, False),
        ("123e999999999", 1.0, False),
        ("no number", 0.0, False),
    ],
)
def test_given_away_is_the_true_number_in_the_prompt(
    prompt: str, truth: float, given: bool
) -> None:
    assert given_away([an_item(1, prompt, v=truth)]) == ({("pump", "v")} if given else set())


@pytest.mark.parametrize(("told", "given"), [(1, False), (2, True)])
def test_given_away_takes_half_of_the_items(told: int, given: bool) -> None:
    prompts = ["It is 7 V."] * told + ["Read it."] * (4 - told)
    items = [an_item(n, prompt, v=7.0) for n, prompt in enumerate(prompts)]
    flags = row_of(certificate(items, judged(items), Evidence()), "v")["flags"]
    assert ("given away" in flags) == given


X = np.array([1.0, 2.5, 4.0, 7.0, 9.5, 12.0])


@pytest.mark.parametrize(
    ("y", "half_step", "expected"),
    [
        (X, 0.0, True),
        (-2.0 * X, 0.0, True),
        (X - 3.01, 0.0, True),
        (np.round(X / 3.0, 1), 0.05, True),
        (np.round(X / 3.0, 1), 0.0, False),
        (1.0 / X, 0.0, False),
        (X + np.eye(6)[5] * 1e-3, 0.0, False),
        (X[:4], 0.0, False),
        (np.array([1.0, 2, 1, 2, 1, 2]), 0.0, False),
        (np.full(6, 3.0), 0.5, False),
    ],
)
def test_a_line_must_be_exact_within_rounding(
    y: np.ndarray, half_step: float, expected: bool
) -> None:
    assert follows(y, X[: len(y)], half_step, 0.0) is expected


def test_linear_names_the_first_other_field_asked() -> None:
    truths = pd.DataFrame(
        {"r": X, "slope": 2 * X, "other": X**2, "drop": [*X[:5], np.nan], "last": X[::-1]}
    )
    fields = {str(name): Field(str(name), "", "", "final") for name in truths}
    # `drop` is asked of five items only: it follows from r there, and nothing can follow from it.
    assert linear(truths, fields) == {"r": "slope", "slope": "r", "drop": "r"}


def test_rounding_is_what_the_field_says_or_the_truth_shows() -> None:
    head = [45.0, 38.5, 29.5, 51.0, 33.0, 41.5]
    shut = [round(0.875 * value, 1) for value in head]
    truths = pd.DataFrame({"head": head, "shut": shut})
    shown = {name: Field(name, "", "", "final") for name in ("head", "shut")}
    said = {name: Field(name, "", "", "final", 4) for name in ("head", "shut")}
    assert linear(truths, shown) == {"head": "shut", "shut": "head"}
    assert linear(truths, said) == {}
    # Choices from a short list are not rounded values: so coarse a step would let anything fit.
    choices = pd.DataFrame({"head": [1.0, 2, 4, 5, 7, 9], "shut": [1.0, 3, 4, 5, 7, 10]})
    assert linear(choices, shown) == {}


def test_a_declared_relation_counts_where_the_truth_keeps_it() -> None:
    relation = Relation("pump", "p", ("a", "b"), "a - b", lambda a, b: a - b)
    kept = [an_item(n, p=2.0 * n, a=3.0 * n, b=1.0 * n) for n in range(4)]
    broken = [an_item(n, p=5.0 + n, a=3.0 * n, b=1.0 * n) for n in range(4)]
    assert declared(judged(kept), Derivation.of(kept, [relation])) == {
        ("pump", "p"): ("a, b", "a - b")
    }
    assert declared(judged(broken), Derivation.of(broken, [relation])) == {}
    lone = [an_item(1, p=1.0, a=1.0)]
    assert declared(judged(lone), Derivation.of(lone, [relation])) == {}
    row = row_of(certificate(kept, judged(kept), Evidence(relations=[relation])), "p")
    assert (row["flags"], row["derived_from"], row["formula"]) == ("derived", "a, b", "a - b")


def test_duplicates_share_picture_and_prompt() -> None:
    prompts = ["one", "one", "two", "one", "one"]
    items = [an_item(n, prompt, v=float(n)) for n, prompt in enumerate(prompts)]
    # 0 and 1 are alike; 2 asks something else of that picture; 3 and 4 have no such picture.
    digests = {"pump_0": "a", "pump_1": "a", "pump_2": "a", "pump_3": "b"}
    assert duplicate_items(items, digests) == {"pump": 2}
    assert duplicate_items(items, {}) is None
    row = row_of(certificate(items, judged(items), Evidence(digests=digests)), "v")
    assert (row["duplicates"], row["flags"]) == (2, "duplicate")
    # Under a limit, an item that is not asked makes no other its duplicate.
    row = row_of(certificate(items, judged(items[1:]), Evidence(digests=digests)), "v")
    assert (row["items"], row["duplicates"], row["flags"]) == (4, 0, "")


def test_pixels_come_from_the_validation() -> None:
    items = [an_item(1, v=1.0)]
    validation = pd.DataFrame(
        {"shard": ["pump", "fan"], "field": ["v", "v"], "tolerance_px_median": [6.5, 9.0]}
    )
    table = certificate(items, judged(items), Evidence(validation=validation))
    assert table["tolerance_px"].tolist() == [6.5]


def test_families_are_sorted_and_fields_stay_as_asked() -> None:
    items = [an_item(1, family="z", b=1.0, a=2.0), an_item(1, family="c", v=1.0)]
    table = certificate(items, judged(items), Evidence())
    assert list(zip(table["family"], table["field"], strict=True)) == [
        ("c", "v"), ("z", "b"), ("z", "a"),
    ]  # fmt: skip
    assert certificate(items, judged([]), Evidence()).empty


@pytest.fixture(scope="module")
def released() -> dict[tuple[str, str], dict[str, Any]]:
    """The certificate of the released data, without a reader."""
    folder = os.environ.get("PLOTCHAIN_REFERENCE")
    if not folder:
        pytest.skip("PLOTCHAIN_REFERENCE is not set: the released data are not at hand")
    suite = suites.load("plotchain")
    items = read_release(Path(folder) / "plotchain")
    answers = []
    for shard in suite.shards():
        own = [item for item in items if item.shard == shard]
        for fold in suite.calibrate_release(own)["folds"]:
            answers += [
                dict.fromkeys(ANSWER_COLUMNS)
                | {"dataset": "d", "model": "blind", "item": item.id, "repeat": 1,
                   "field": field.name, "value": fold["constants"][field.name],
                   "outcome": "answered"}
                for item in own if item.id in fold["items"] for field in item.fields
            ]  # fmt: skip
    scores = score(pd.DataFrame(answers), truth_table(items), load_policy(POLICY))
    pictures = {item.id: Path(item.picture or "") for item in items}
    digests = {i: sha256(path.read_bytes()) for i, path in pictures.items() if path.is_file()}
    evidence = Evidence(floor="blind", relations=suite.relations(), digests=digests)
    table = certificate(items, scores, evidence)
    return {(row["family"], row["field"]): dict(row) for _, row in table.iterrows()}


CONSTANT = (
    ("step_response", "steady_state"), ("step_response", "cp_band_lower"),
    ("step_response", "cp_band_upper"), ("bode_magnitude", "cp_slope_db_per_decade"),
    ("bode_phase", "cp_phase_deg_at_fc"), ("spectrogram", "switch_time_s"),
    ("spectrogram", "cp_duration_s"), ("iv_diode", "target_current_a"),
    ("iv_diode", "turn_on_voltage_v_at_target_i"),
)  # fmt: skip
LINEAR = {
    ("iv_resistor", "cp_slope_ohm"): "resistance_ohm",
    ("bode_magnitude", "cp_mag_at_fc_db"): "dc_gain_db",
    ("time_waveform", "cp_vmax_v"): "vpp_v", ("time_waveform", "cp_vmin_v"): "vpp_v",
    ("pump_curve", "head_at_qop_m"): "cp_shutoff_head_m",
}  # fmt: skip


def test_the_audits_defects_of_the_release_appear(
    released: dict[tuple[str, str], dict[str, Any]],
) -> None:
    assert len(released) == 58
    flagged = {flag: {pair for pair, row in released.items() if flag in row["flags"].split("; ")}
               for flag in ("given away", "constant", "derived", "duplicate")}  # fmt: skip
    assert flagged["constant"] == set(CONSTANT)
    assert {pair for pair in CONSTANT if released[pair]["distinct_values"] == 1} == set(
        CONSTANT[:5]
    )
    assert flagged["given away"] == {("iv_diode", "target_current_a")}
    assert LINEAR.items() <= {pair: row["derived_from"] for pair, row in released.items()}.items()
    assert ("sn_curve", "stress_at_1e5_mpa") not in flagged["derived"]
    floor = sum(row["floor"] * row["items"] for row in released.values())
    assert floor / sum(row["items"] for row in released.values()) == pytest.approx(0.399, abs=5e-4)


def test_the_releases_duplicates_are_counted(
    released: dict[tuple[str, str], dict[str, Any]],
) -> None:
    """Of the 225 pictures at hand, with their questions, 207 are distinct."""
    counts = {family: row["duplicates"] for (family, _), row in released.items()}
    assert sum(counts.values()) == 31
    assert counts["iv_resistor"] == 12
    assert counts["bandpass_response"] == 0
