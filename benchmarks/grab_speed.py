"""How long a GRAB set takes to generate and draw, by shards on several processes, and its memory.

    python benchmarks/grab_speed.py [processes] [questions]

Without a number of questions the whole default set at full size. Also what the PNG compression
levels cost on one picture of ten functions.
"""

from __future__ import annotations

import io
import resource
import sys
import time
from concurrent.futures import ProcessPoolExecutor

import numpy as np
from PIL import Image

from plotchain_lib.suites.grab import suite


def _shard(name: str, size: int) -> tuple[str, float, float, int, float]:
    """Shard, seconds of processor to generate (with its floor) and to draw, bytes, peak MB."""
    start = time.process_time()
    items = suite.items(name, 0, size, suite.options({}))
    suite.calibrate(name, 0, items)
    generated = time.process_time()
    size_of_all = sum(len(suite.draw(item)[0]) for item in items)
    drawn = time.process_time()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0
    return name, generated - start, drawn - generated, size_of_all, peak


def _levels() -> None:
    (item,) = [i for i in suite.items("function_range", 0, 12, suite.options({}))
               if i.params["complexity"] == 9][:1]  # fmt: skip
    with Image.open(io.BytesIO(suite.draw(item)[0])) as picture:
        pixels = np.asarray(picture)
    runs, default = 3, 0  # zlib's strategies
    for level, strategy in ((1, runs), (3, runs), (1, default), (2, default), (6, default)):
        stream, start = io.BytesIO(), time.process_time()
        Image.fromarray(pixels).save(
            stream, "PNG", compress_level=level, compress_type=strategy
        )  # fmt: skip
        spent = time.process_time() - start
        size = len(stream.getvalue()) / 1e3
        print(f"PNG level {level}, strategy {strategy}: {spent * 1e3:.0f} ms, {size:.0f} kB")


def main(processes: int = 2, questions: int | None = None) -> None:
    """Print the figures."""
    sizes = suite.sizes({} if questions is None else {"questions": questions})
    start = time.perf_counter()
    with ProcessPoolExecutor(processes) as pool:
        largest_first = sorted(sizes, key=lambda name: -sizes[name])
        rows = list(pool.map(_shard, largest_first, [sizes[name] for name in largest_first]))
    wall = time.perf_counter() - start
    generated, drawn, written = (sum(float(row[n]) for row in rows) for n in (1, 2, 3))
    total = sum(sizes.values())
    print(f"{total} questions on {processes} processes: {wall:.0f} s")
    print(f"processor: {generated:.0f} s generating, {drawn:.0f} s drawing "
          f"({drawn / total:.2f} s a picture)")  # fmt: skip
    print(f"pictures: {written / 1e6:.0f} MB; peak memory of a process: "
          f"{max(row[4] for row in rows):.0f} MB")  # fmt: skip
    _levels()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
