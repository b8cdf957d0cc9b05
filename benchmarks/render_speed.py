"""Drawing the dataset: `python benchmarks/render_speed.py [--per-family 30] [--processes 2]`.

The baseline, in the same run and on the same items, is the way of the published release: a fresh
pyplot figure an item, Matplotlib's own ticks and grid, a tight bounding box, one process.
"""

from __future__ import annotations

import argparse
import io
import resource
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager

from plotchain_lib.item import Item
from plotchain_lib.suites.plotchain import families, generate, render


def baseline(item: Item) -> int:
    """One picture the release's way; returns its size in bytes."""
    import matplotlib as mpl

    mpl.use("agg")
    from matplotlib import pyplot

    family = families.load(item.shard)
    frame = family.frame(item.params)
    figure, axes = pyplot.subplots(
        figsize=(5.2, 5.2) if frame.shape == "square" else (6.0, 3.6), dpi=160
    )
    axes.set(
        xscale=frame.x.scale, yscale=frame.y.scale, xlabel=frame.x.label, ylabel=frame.y.label,
        title=frame.title, xlim=(frame.x.low, frame.x.high), ylim=(frame.y.low, frame.y.high),
    )  # fmt: skip
    if item.difficulty != "edge":
        axes.grid(True, which="both" if item.difficulty == "clean" else "major", alpha=0.4)
    family.plot(axes, item.params, item.difficulty)
    stream = io.BytesIO()
    figure.savefig(stream, dpi=160, bbox_inches="tight")
    pyplot.close(figure)
    return len(stream.getvalue())


def ours(shard: list[Item]) -> int:
    """One shard's pictures; returns their size in bytes."""
    family = families.load(shard[0].shard)
    return sum(len(render.render(family, i.params, i.difficulty).png) for i in shard)


@contextmanager
def clock(name: str, count: int, figures: dict[str, tuple[float, float]]) -> Iterator[None]:
    """Wall and CPU seconds, those of ended child processes included."""

    def cpu() -> float:
        both = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
        return sum(resource.getrusage(who).ru_utime + resource.getrusage(who).ru_stime
                   for who in both)  # fmt: skip

    wall, used = time.perf_counter(), cpu()
    yield
    figures[name] = (time.perf_counter() - wall, (cpu() - used) / count)
    print(f"{name:40}{figures[name][0]:8.1f} s wall{figures[name][1] * 1e3:8.0f} ms CPU an item")


def main() -> None:
    """Draw both ways and print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--per-family", type=int, default=30)
    parser.add_argument("--processes", type=int, default=2)
    arguments = parser.parse_args()
    shards = [
        list(generate.items(families.load(name), 0, arguments.per_family))
        for name in families.names()
    ]
    count = sum(map(len, shards))
    figures: dict[str, tuple[float, float]] = {}
    name = f"ours, {arguments.processes} processes"
    # The clock stops after the pool's processes have ended, so that their CPU time is counted.
    with clock(name, count, figures), ProcessPoolExecutor(arguments.processes) as pool:
        list(pool.map(ours, shards))
    with clock("baseline, one process", count, figures):
        for shard in shards:
            for item in shard:
                baseline(item)
    (wall, cpu), (base_wall, base_cpu) = figures.values()
    print(f"{count} items: wall {wall / base_wall:.2f} of the baseline, CPU {cpu / base_cpu:.2f}")


if __name__ == "__main__":
    main()
