"""What the reader's answers are worth, as tables, for `benchmarks.reader_accuracy`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from plotchain_lib.item import ANSWER_COLUMNS, Item
from plotchain_lib.parse.objects import parse_object
from plotchain_lib.policy import load_policy
from plotchain_lib.score import score, truth_table
from plotchain_lib.suites.plotchain import suite

_POLICIES = Path(__file__).parents[1] / "config" / "policies" / "plotchain"
# The release prints the target current in the question; our families ask for nothing they print.
_GIVEN = {("iv_diode", "target_current_a")}
# Follow by a formula too, but have a place of their own in the picture, where they are read.
_READ = {
    ("bandpass_response", "resonance_hz"), ("bode_magnitude", "dc_gain_db"),
    ("iv_resistor", "resistance_ohm"), ("pump_curve", "head_at_qop_m"),
    ("pump_curve", "q_at_half_head_m3h"), ("step_response", "settling_time_s"),
    ("torque_speed", "no_load_speed_rpm"), ("torque_speed", "stall_torque_nm"),
    ("transfer_characteristic", "small_signal_gain"),
}  # fmt: skip
_KINDS = ("read", "follows", "given")


@dataclass(frozen=True, slots=True)
class Outcome:
    """One item as the reader answered it.

    Attributes:
        item: the item; its id is unique among the run's.
        style: how it was drawn.
        text, outcome: of the response.
        reasons: field name to why it is null.
        seconds: CPU-seconds of the answer.
        axes: ``x`` and ``y`` to the worst end's error as a share of the axis' length; None where
            the axis was refused, NaN where its truth is not known.
    """

    item: Item
    style: str
    text: str
    outcome: str
    reasons: Mapping[str, str]
    seconds: float
    axes: Mapping[str, float | None]


def judge(outcomes: Sequence[Outcome]) -> pd.DataFrame:
    """One row a field and style: the pipeline's score columns, and these.

    ``kind`` is read, follows or given; ``strict`` the verdict under the strict policy (``passed``
    is plotread's); ``null`` and ``wrong`` tell failures apart; ``reason`` is the reader's.
    """
    rows = []
    for outcome in outcomes:
        units = {field.name: field.unit for field in outcome.item.fields}
        values = parse_object(outcome.text, units, "tolerant").values
        rows += [
            (outcome.style, "reader", outcome.item.id, 1, name, values.get(name), "", "",
             outcome.outcome, None, None, None, None)
            for name in units
        ]  # fmt: skip
    answers = pd.DataFrame(rows, columns=list(ANSWER_COLUMNS))
    answers["value"] = answers["value"].astype("float64")
    items = list({outcome.item.id: outcome.item for outcome in outcomes}.values())
    truth = truth_table(items)
    plotread, strict = (
        score(answers, truth, load_policy(_POLICIES / f"{name}.yaml"))
        for name in ("plotread", "strict")
    )
    reasons = {
        (outcome.style, outcome.item.id, name): reason
        for outcome in outcomes
        for name, reason in outcome.reasons.items()
    }
    keys = zip(plotread["dataset"], plotread["item"], plotread["field"], strict=True)
    return plotread.assign(
        kind=_kinds(plotread, items),
        strict=strict["passed"],
        null=plotread["value"].isna(),
        wrong=plotread["value"].notna() & ~plotread["passed"],
        reason=[reasons.get(key, "") for key in keys],
    )


def followers() -> set[tuple[str, str]]:
    """(family, field) pairs that follow from fields none of which follows itself.

    Of fields that follow from each other, checkpoints are taken to follow. A field that has a place
    of its own in the picture is read there, whatever formula may give it too.
    """
    found: set[tuple[str, str]] = set()
    for relation in sorted(suite.relations(), key=lambda r: not r.field.startswith("cp_")):
        if (relation.family, relation.field) not in _READ and all(
            (relation.family, name) not in found for name in relation.inputs
        ):
            found.add((relation.family, relation.field))
    return found


def _kinds(rows: pd.DataFrame, items: Sequence[Item]) -> list[str]:
    released = {item.id for item in items if item.seed is None}
    follow = followers()
    kinds = []
    for item, pair in zip(
        rows["item"], zip(rows["group"], rows["field"], strict=True), strict=True
    ):
        given = item in released and pair in _GIVEN
        kinds.append("given" if given else "follows" if pair in follow else "read")
    return kinds


def report(
    outcomes: Sequence[Outcome], verdicts: pd.DataFrame, allowed: float, failures: int
) -> dict[str, Any]:
    """Print every table; returns the same figures."""
    figures: dict[str, Any] = {"fields": _shares(verdicts, ["dataset", "group", "field", "kind"])}
    for entry in figures["fields"]:
        _line(f"{entry['dataset']:15.15}{entry['group']:24}{entry['field']:31}{entry['kind']:8}",
              entry)  # fmt: skip
    print()
    if verdicts["dataset"].nunique() > 1:
        _matrix(verdicts)
    figures["totals"] = _shares(verdicts, ["dataset", "kind"])
    for entry in figures["totals"]:
        _line(f"{entry['dataset']:20}{entry['kind']:58}", entry)
    whole = verdicts.groupby(["dataset", "item"], sort=False)["passed"].all()
    figures["whole_items"] = {}
    for style, passed in whole.groupby("dataset", sort=False):
        figures["whole_items"][str(style)] = [int(passed.sum()), len(passed)]
        print(f"{style:20}{passed.sum()} of {len(passed)} items with every field within plotread")
    figures["axes"] = _axes(outcomes, allowed, failures)
    figures["cpu_seconds"] = _cpu(outcomes)
    figures["failures"] = _failures(verdicts, failures)
    return figures


def _shares(verdicts: pd.DataFrame, keys: list[str]) -> list[dict[str, Any]]:
    """One entry a group: how many rows, and how many of them are each."""
    entries = []
    for key, rows in verdicts.groupby(keys, sort=False):
        entry: dict[str, Any] = dict(zip(keys, key, strict=True)) | {"count": len(rows)}
        for name in ("passed", "strict", "null", "wrong"):
            entry[name] = int(rows[name].sum())
        entries.append(entry)
    return entries


def _line(start: str, entry: Mapping[str, Any]) -> None:
    shares = (100 * entry[name] / entry["count"] for name in ("passed", "strict", "null", "wrong"))
    plotread, strict, null, wrong = shares
    print(f"{start}n {entry['count']:4d}  plotread {plotread:5.1f} %  strict {strict:5.1f} %  "
          f"null {null:5.1f} %  wrong {wrong:5.1f} %")  # fmt: skip


def _matrix(verdicts: pd.DataFrame) -> None:
    """Styles by families: per cent within plotread / per cent wrong though not null."""
    groups = list(dict.fromkeys(verdicts["group"]))
    print("plotread % / wrong %".ljust(20) + "".join(f"{name:>9.8}" for name in groups))
    for style, rows in verdicts.groupby("dataset", sort=False):
        shares = {
            name: (100 * some["passed"].mean(), 100 * some["wrong"].mean())
            for name, some in rows.groupby("group")
        }
        cells = (f"{shares[n][0]:.0f}/{shares[n][1]:.0f}" if n in shares else "" for n in groups)
        print(f"{style!s:20}" + "".join(f"{cell:>9}" for cell in cells))
    print()


def _axes(outcomes: Sequence[Outcome], allowed: float, printed: int) -> dict[str, dict[str, int]]:
    counts: dict[str, dict[str, int]] = {}
    for outcome in outcomes:
        mine = counts.setdefault(
            outcome.style, dict.fromkeys(("right", "wrong", "refused", "unknown"), 0)
        )
        for name, error in outcome.axes.items():
            if error is None:
                verdict = "refused"
            elif math.isnan(error):
                verdict = "unknown"
            else:
                verdict = "right" if error <= allowed else "wrong"
            mine[verdict] += 1
            if verdict in ("wrong", "unknown") and printed > 0:
                printed -= 1
                print(f"axis {verdict}: {outcome.style} {outcome.item.id} {name} error {error:.4f}")
    for style, mine in counts.items():
        print(f"{style:20}axes: " + ", ".join(f"{count} {name}" for name, count in mine.items()))
    return counts


def _cpu(outcomes: Sequence[Outcome]) -> dict[str, dict[str, float]]:
    """Per style: CPU-seconds a picture."""
    figures = {}
    seconds = pd.DataFrame([(o.style, o.seconds) for o in outcomes], columns=["style", "seconds"])
    for style, some in seconds.groupby("style", sort=False)["seconds"]:
        figures[str(style)] = {
            "median": float(some.median()), "mean": float(some.mean()), "most": float(some.max()),
        }  # fmt: skip
        print(f"{style:20}CPU-seconds a picture: median {some.median():.3f}, "
              f"mean {some.mean():.3f}, most {some.max():.3f}")  # fmt: skip
    return figures


def _failures(verdicts: pd.DataFrame, count: int) -> list[dict[str, Any]]:
    failing = verdicts[~verdicts["passed"]]
    entries = [
        {"style": row["dataset"], "item": row["item"], "field": row["field"],
         "truth": row["truth"], "answer": None if row["null"] else row["value"],
         "reason": row["reason"]}
        for row in failing.to_dict("records")
    ]  # fmt: skip
    for entry in entries[:count]:
        answer = "null" if entry["answer"] is None else f"{entry['answer']:g}"
        print(f"FAILS {entry['style']} {entry['item']} {entry['field']}: truth {entry['truth']:g}, "
              f"answer {answer} {entry['reason']}")  # fmt: skip
    return entries
