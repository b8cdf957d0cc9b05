"""What the report's analyses of many verdicts cost, drawing apart.

    python -m benchmarks.report_analysis [--models 20] [--items 2200]

Makes verdicts of so many models (beside floor and ceiling) on generated items of all families and
prints the CPU seconds of each analysis in this process.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from plotchain_lib.derivation import Derivation
from plotchain_lib.item import ANSWER_COLUMNS
from plotchain_lib.policy import load_policy
from plotchain_lib.report.bias import bias_of
from plotchain_lib.report.cells import cells_of
from plotchain_lib.report.derivation import splits_of
from plotchain_lib.report.errors import errors_of, quantiles, shares_below
from plotchain_lib.report.missing import bounds_of
from plotchain_lib.report.tolerance import SCALES, rank_changes
from plotchain_lib.score import score, truth_table
from plotchain_lib.suites.plotchain import suite

POLICY = Path(__file__).parents[1] / "config" / "policies" / "plotchain" / "plotread.yaml"


def verdicts_of(models: list[str], count: int) -> pd.DataFrame:
    """Verdicts of models whose values are off by some per cent, the same columns as a real run."""
    per_family = -(-count // len(suite.shards()))
    items = [item for shard in suite.shards() for item in suite.items(shard, 0, per_family, {})]
    truth = truth_table(items[:count])
    random = np.random.default_rng(0)
    frames = []
    for place, model in enumerate(models):
        off = 1 + 0.01 * (place + 1) * random.standard_normal(len(truth))
        frame = pd.DataFrame({"item": truth["item"], "field": truth["field"]}).assign(
            dataset="d", model=model, repeat=1, value=truth["truth"] * off, text="", form="direct",
            outcome="answered", latency_s=1.0, input_tokens=1.0, output_tokens=1.0, cost_usd=0.0,
        )  # fmt: skip
        frames.append(frame[list(ANSWER_COLUMNS)])
    derivation = Derivation.of(items, suite.relations())
    return score(pd.concat(frames, ignore_index=True), truth, load_policy(POLICY), derivation)


def timed(name: str, run: Callable[[], Any]) -> Any:
    """Print the CPU seconds a call takes, and return its result."""
    start = time.process_time()
    result = run()
    print(f"{name:24} {time.process_time() - start:6.2f} s CPU")
    return result


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--models", type=int, default=20)
    parser.add_argument("--items", type=int, default=2200)
    options = parser.parse_args()
    models = [f"model-{n:02}" for n in range(options.models)] + ["reader", "blind"]
    verdicts = verdicts_of(models, options.items)
    print(f"{len(models)} models x {options.items} items, {len(verdicts):,} verdicts")
    start = time.process_time()
    errors = timed("errors", lambda: errors_of(verdicts, models))
    rates = timed("shares at 17 scales", lambda: shares_below(errors, SCALES))
    timed("quantiles", lambda: quantiles(errors, 0.5))
    timed("changes of rank", lambda: rank_changes(models, models, rates))
    timed("bias", lambda: bias_of(errors, verdicts["item"], 0.05))
    timed("four cells", lambda: cells_of(verdicts))
    timed("derivation", lambda: splits_of(verdicts, errors.unit))
    timed("missing answers", lambda: bounds_of(verdicts, models))
    print(f"{'all':24} {time.process_time() - start:6.2f} s CPU")


if __name__ == "__main__":
    main()
