"""How well the reader reads: `python -m benchmarks.reader_accuracy [--styles all] [--release F]`.

Draws items in memory, or takes a release's pictures, asks `plotchain_lib.models.reader.answer`,
and judges its text as the pipeline does. Per family and field: the shares within plotread, within
strict, null, and wrong though not null. Fields that follow from others by a relation of their
family, and fields whose value the question itself gives, are counted apart. An axis is right where
the reader's calibration puts both of its true ends within 0.3 % of the axis' length.
"""

from __future__ import annotations

import argparse
import io
import os
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
from PIL import Image

from benchmarks.reader_styles import STYLES, Drawn, damaged, draw, selected
from benchmarks.reader_verdicts import Outcome, judge, report
from plotchain_lib.files import one_line_errors, read_json_lines, write_json
from plotchain_lib.item import Item, PlotChainError, Request
from plotchain_lib.releases import ITEMS_FILE, read_release
from plotchain_lib.suites.plotchain import families
from plotchain_lib.suites.plotchain.family import Axis, Frame
from plotchain_lib.suites.plotchain.generate import items as drawn_items

AXIS_ERROR = 0.003  # of an axis' length, at either end
_WARM: list[bool] = []
_REFERENCE = Path(os.environ.get("PLOTCHAIN_REFERENCE", "."), "plotchain")
_SUITE_SEEDS, _STYLE_SEEDS = (0, 1, 2, 3), (101,)


@dataclass(frozen=True, slots=True)
class Task:
    """One family's items in one style, of a seed or of a release."""

    style: str
    family: str
    count: int
    seed: int
    release: Path | None
    pictures: Path | None


def read(drawn: Drawn, item: Item, style: str) -> Outcome:
    """Ask the reader one item. Whatever it raises is a crash, and counted as one."""
    from plotchain_lib.models import reader

    scenes: list[Any] = []
    look = reader.look

    def watched(*arguments: Any) -> Any:
        result = look(*arguments)
        scenes.append(result[0])
        return result

    names = tuple(field.name for field in item.fields)
    request = Request("reader", {}, item.prompt, names, drawn.data, 1, item=item.id)
    started = time.process_time()
    try:
        with mock.patch.object(reader, "look", watched):
            response = reader.answer(request)
    except Exception as error:
        crash = f"CRASH {type(error).__name__}: {error}"
        outcome = Outcome(item, style, "", "rejected", dict.fromkeys(names, crash), 0.0, {})
    else:
        seconds = time.process_time() - started
        outcome = Outcome(
            item, style, response.text, response.outcome,
            dict(response.received.get("reasons", {})), seconds, {},
        )  # fmt: skip
    return replace(outcome, axes=axis_errors(scenes[0] if scenes else None, drawn))


def axis_errors(scene: Any, drawn: Drawn) -> dict[str, float | None]:
    """Each axis' worst end, as a share of its length; None where it was refused.

    NaN where the truth is not known. Places are those of pixel centres, so an edge lies half a
    pixel before the first of them.
    """
    if scene is None:
        return {"x": None, "y": None}
    left, top, width, height = drawn.box
    if width == 0.0:  # a release: its pictures' boxes are not published
        return {
            "x": _limits_error(scene.x, (scene.box.left, scene.box.right), drawn.frame.x),
            "y": _limits_error(scene.y, (scene.box.bottom, scene.box.top), drawn.frame.y),
        }
    across = (left - 0.5, left + width - 0.5)
    up = (top + height - 0.5, top - 0.5)
    return {"x": _error(scene.x, across, drawn.frame.x), "y": _error(scene.y, up, drawn.frame.y)}


def _error(seen: Any, places: tuple[float, float], truth: Axis) -> float:
    with np.errstate(all="ignore"):
        found = truth.fraction(seen.value(np.array(places)))
    worst = float(np.abs(found - np.array([0.0, 1.0])).max())
    return worst if np.isfinite(worst) else float("inf")


def _limits_error(seen: Any, places: tuple[float, float], data: Axis) -> float:
    """For a release: its limits are those published, or Matplotlib's margins lie around them."""
    errors = [float("nan")]
    scale: Any = seen.scale if data.low > 0.0 else "linear"
    for margin in (0.0, 0.05):
        plain = replace(data, scale=scale)
        low, high = (float(end) for end in plain.value(np.array([-margin, 1.0 + margin])))
        errors.append(_error(seen, places, replace(plain, low=low, high=high)))
    best = float(np.nanmin(errors))
    return best if best <= AXIS_ERROR else float("nan")


def work(task: Task) -> tuple[list[Outcome], int]:
    """The outcomes of one task, and how many pictures were missing."""
    outcomes: list[Outcome] = []
    missing = 0
    for item, drawn in _released(task) if task.release else _generated(task):
        if drawn is None:
            missing += 1
            continue
        if not _WARM:  # the first picture of a process loads the recogniser
            read(drawn, item, task.style)
            _WARM.append(True)
        outcomes.append(read(drawn, item, task.style))
        if task.pictures:
            name = f"{task.style}.{item.id}".replace(":", "_")
            task.pictures.mkdir(parents=True, exist_ok=True)
            (task.pictures / f"{name}.png").write_bytes(drawn.data)
    return outcomes, missing


def _generated(task: Task) -> Iterator[tuple[Item, Drawn]]:
    for item in drawn_items(families.load(task.family), task.seed, task.count):
        named = replace(item, id=f"{item.id}@{task.seed}")
        yield named, draw(named, STYLES[task.style])


def _released(task: Task) -> Iterator[tuple[Item, Drawn | None]]:
    assert task.release is not None
    style = STYLES[task.style]
    limits = {
        record["id"]: record["generation"] for record in read_json_lines(task.release / ITEMS_FILE)
    }
    chosen = [item for item in read_release(task.release) if item.shard == task.family]
    for item in chosen[: task.count]:
        path = Path(item.picture or "")
        if not path.is_file():
            yield item, None
            continue
        data = path.read_bytes()
        if style.damage:
            data = damaged(Image.open(io.BytesIO(data)), style)
        ends = limits[item.id]
        x, y = (
            Axis("", float(ends.get(f"{axis}_min", "nan")), float(ends.get(f"{axis}_max", "nan")))
            for axis in "xy"
        )
        yield item, Drawn(data, (0.0, 0.0, 0.0, 0.0), Frame(x, y, ""))


def tasks(arguments: argparse.Namespace) -> list[Task]:
    """What is to be done. Raises PlotChainError for a style that a release cannot be drawn in."""
    styles = selected(arguments.styles)
    names = arguments.families or families.names()
    made = []
    for style in styles:
        if arguments.release and STYLES[style].redrawn:
            if "all" in arguments.styles:
                continue
            raise PlotChainError(f"style {style!r} redraws; a release's pictures are as they are")
        usual = _SUITE_SEEDS if style == "suite" else _STYLE_SEEDS
        for seed in (0,) if arguments.release else arguments.seeds or usual:
            made += [
                Task(style, name, arguments.items, seed, arguments.release, arguments.pictures)
                for name in names
            ]
    return made


def main() -> None:
    """Read, judge and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, nargs="+", help="default: 0 1 2 3; of styles: 101")
    parser.add_argument("--families", nargs="+")
    parser.add_argument("--items", type=int, default=30, help="of each family and seed")
    parser.add_argument(
        "--release", type=Path, nargs="?", const=_REFERENCE,
        help="a release's folder; without one, plotchain/ in that of PLOTCHAIN_REFERENCE",
    )  # fmt: skip
    parser.add_argument("--styles", nargs="+", default=["suite"], help="names, groups, or all")
    parser.add_argument("--failures", type=int, default=0, help="print so many failing fields")
    parser.add_argument("--pictures", type=Path, help="write the pictures into this folder")
    parser.add_argument("--json", type=Path, help="write every figure into this file")
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    with one_line_errors():
        arguments.release = arguments.release and Path(arguments.release)
        todo = tasks(arguments)
        os.environ["OMP_NUM_THREADS"] = "1"  # of the processes below: CPU time is one core's
        with ProcessPoolExecutor(arguments.jobs, mp_context=get_context("spawn")) as pool:
            results = list(pool.map(work, todo))
        outcomes = [outcome for some, _ in results for outcome in some]
        missing = sum(count for _, count in results)
        verdicts = judge(outcomes)
        if missing:
            print(f"{missing} pictures are missing and left out")
        figures = report(outcomes, verdicts, AXIS_ERROR, arguments.failures)
        if arguments.json:
            write_json(arguments.json, figures | {"missing": missing})


if __name__ == "__main__":
    main()
