"""Every answer of a whole GRAB set found again from what is drawn; how hard the set is to guess.

    python benchmarks/grab_truth.py [seed] [calibration seed]

Prints how many of the 2,170 answers agree, the least distance of a value from a rounding boundary,
and what the blind guesser of `plotchain_lib.suites.grab.floor` gets right, by task, with its
constants from the other seed.
"""

from __future__ import annotations

import sys
import time
from collections import Counter

from plotchain_lib.suites.grab import floor, generate
from plotchain_lib.suites.grab.answers import is_answer
from plotchain_lib.suites.grab.groups import shard_totals
from plotchain_lib.suites.grab.measure import measured_answer
from plotchain_lib.suites.grab.render import drawn_points
from plotchain_lib.suites.grab.rounding import STEPS, from_boundary


def main(seed: int = 0, other: int = 1) -> int:
    """0 where all answers agree."""
    start = time.process_time()
    asked, agreeing, right = Counter[str](), 0, Counter[str]()
    own: dict[tuple[str, str, str], Counter[str]] = {}
    nearest = 0.5
    for shard, total in shard_totals().items():
        constants = floor.calibration_constants(shard, other)
        for item in generate.items(shard, seed, total):
            params, answer = item.params, str(item.truth["answer"])
            found = measured_answer(params, drawn_points(params))
            agreeing += found == answer and is_answer(answer, params["precision"])
            if found != answer:
                print(f"{item.id}: {answer}, but {found} from what is drawn")
            if params["precision"] in STEPS and params["value"] is not None:
                nearest = min(nearest, from_boundary(params["value"], params["precision"]))
            group = params["task"], params["property"], params["precision"]
            own.setdefault(group, Counter())[answer] += 1
            guessed = constants[params["property"], params["precision"]] == answer
            for name in ("all", params["task"], params["category"]):
                asked[name] += 1
                right[name] += guessed
    print(f"answers that agree: {agreeing} of {asked['all']}")
    print(f"nearest to a rounding boundary: {nearest:.3f} of a step")
    for name, count in asked.items():
        print(f"blind, {name}: {right[name]} of {count} ({right[name] / count:.1%})")
    best = sum(counts.most_common(1)[0][1] for counts in own.values())
    print(f"blind, fitted on the set itself: {best} of {asked['all']} ({best / asked['all']:.1%})")
    print(f"processor time: {time.process_time() - start:.0f} s")
    return int(agreeing != asked["all"])


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
