"""How long scoring four models on 450 items takes, beside a loop over rows.

    python -m benchmarks.score_speed

Prints the median seconds of several runs in this process, for the library and for the naive
baseline of the same run, after making sure that both pass the same rows.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from plotchain_lib.derivation import Derivation
from plotchain_lib.item import ANSWER_COLUMNS, Field, Item, Relation
from plotchain_lib.policy import Policy, load_policy
from plotchain_lib.score import score, truth_table

RUNS = 7
MODELS = ("model-a", "model-b", "model-c", "model-d")
POLICY = Path(__file__).parents[1] / "config" / "policies" / "plotchain" / "plotread.yaml"


def make_items(policy: Policy, per_family: int = 30) -> list[Item]:
    """450 items with the 15 published families' fields (or as many as the policy lists)."""
    random = np.random.default_rng(0)
    families: dict[str, list[str]] = {}
    for family, name in policy.tolerances:
        families.setdefault(family, []).append(name)
    families["pole_zero"] = ["pole_real", "pole_imag", "zero_real", "zero_imag"]
    items = []
    for family, names in families.items():
        fields = tuple(
            Field(name, "", "", "checkpoint" if name.startswith("cp_") else "final")
            for name in names
        )
        for index in range(per_family):
            truth = {name: float(random.uniform(1, 100)) for name in names}
            item_id = f"{family}_{index:03d}"
            items.append(
                Item(item_id, "plotchain", family, family, "", None, fields, truth, {}, 0, "clean")
            )
    return items


def make_answers(items: list[Item]) -> pd.DataFrame:
    """One answer per model, item and field: the truth with 10 % noise."""
    random = np.random.default_rng(1)
    rows = [
        ("bench", model, item.id, 1, name, truth * random.normal(1, 0.1), "", "direct",
         "answered", 1.0, 1.0, 1.0, 0.0)
        for model in MODELS
        for item in items
        for name, truth in item.truth.items()
        if isinstance(truth, float)
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=list(ANSWER_COLUMNS))


def naive(answers: pd.DataFrame, truth: pd.DataFrame, policy: Policy) -> list[bool]:
    """One row after the other, as a first version would."""
    passed = []
    by_field = truth.set_index(["item", "field"])
    for _, row in answers.iterrows():
        found = by_field.loc[(row["item"], row["field"])]
        absolute, relative = policy.for_rows(
            [found["group"]], [row["field"]], np.array([found["truth"]])
        )
        error = abs(row["value"] - found["truth"])
        share = error / max(abs(found["truth"]), 1e-12)
        passed.append(bool(error <= absolute[0] or share <= relative[0]))
    return passed


def median_seconds(run: Callable[[], object], runs: int) -> float:
    """The median wall time of several runs."""
    seconds = []
    for _ in range(runs):
        started = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - started)
    return statistics.median(seconds)


def main() -> None:
    """Print both times."""
    policy = load_policy(POLICY)
    items = make_items(policy)
    answers, truth = make_answers(items), truth_table(items)
    relation = Relation(
        "bandpass_response", "cp_q_factor", ("resonance_hz", "bandwidth_hz"), "", np.divide
    )
    derivation = Derivation.of(items, [relation])
    fast = score(answers, truth, policy, derivation)
    if fast["passed"].tolist() != naive(answers, truth, policy):
        raise SystemExit("the library and the loop over rows differ")
    library = median_seconds(lambda: score(answers, truth, policy, derivation), RUNS)
    loop = median_seconds(lambda: naive(answers, truth, policy), 1)
    print(f"{len(MODELS)} models x {len(items)} items, {len(answers)} rows")
    print(f"library (median of {RUNS})   {library:8.3f} s")
    print(f"loop over rows (one run)   {loop:8.3f} s")


if __name__ == "__main__":
    main()
