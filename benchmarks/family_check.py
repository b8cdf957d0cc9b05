"""What a family's items are worth: `python benchmarks/family_check.py [family ...] [--seed N]`.

Per field: the blind floor on 30 items, the share of one-pixel reads within plotread, the tolerance
in pixels, how many values differ, and how far the second measurement lies from the truth.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

from plotchain_lib.suites.plotchain import families, floor
from plotchain_lib.suites.plotchain.family import Family
from plotchain_lib.suites.plotchain.generate import items
from plotchain_lib.suites.plotchain.readability import allowed_error, readability
from plotchain_lib.suites.plotchain.render import render


def check(family: Family, seed: int, count: int, pictures: Path | None) -> list[float]:
    """Print one family's table; returns the blind floor of each field."""
    start = time.process_time()
    sample = list(items(family, seed, count))
    drawn = time.process_time()
    constants = floor.calibration_floor(family, seed)["folds"][0]["constants"]
    calibrated = time.process_time()
    pictured = [render(family, item.params, item.difficulty) for item in sample]
    done = time.process_time()
    print(
        f"\n{family.name}: generate {(drawn - start) / count * 1e3:.0f} ms an item, calibrate "
        f"{calibrated - drawn:.1f} s, render {(done - calibrated) / count * 1e3:.0f} ms an item"
    )
    print(f"{'field':32}{'floor %':>8}{'read %':>8}{'min px':>8}{'med px':>8}{'distinct':>9}"
          f"{'range':>24}{'worst/allowed':>14}")  # fmt: skip
    floors = []
    for field in family.fields:
        truths = np.array([float(item.truth[field.name]) for item in sample])
        tolerance = family.tolerances[field.name]
        widths = floor.half_widths(truths, tolerance.plotread)
        passed = np.abs(constants[field.name] - truths) <= widths
        reads = [readability(family, i.params, i.truth)[field.name] for i in sample]  # type: ignore[arg-type]
        agreement = [
            abs(p.measured[field.name] - float(i.truth[field.name]))
            / (allowed_error(float(i.truth[field.name]), tolerance.strict) / 4
               + 0.5 * 10.0 ** -(field.decimals or 0))
            for i, p in zip(sample, pictured, strict=True)
        ]  # fmt: skip
        pixels = [r.tolerance_px for r in reads]
        floors.append(float(passed.mean()))
        print(f"{field.name:32}{100 * passed.mean():8.1f}"
              f"{100 * np.mean([r.share for r in reads]):8.1f}{min(pixels):8.2f}"
              f"{np.median(pixels):8.2f}{len(set(truths)):9d}"
              f"{f'{truths.min():g} to {truths.max():g}':>24}{max(agreement):14.2f}")  # fmt: skip
    if pictures:
        pictures.mkdir(parents=True, exist_ok=True)
        for item, picture in zip(sample, pictured, strict=True):
            (pictures / f"{item.id}.{item.difficulty}.png").write_bytes(picture.png)
    return floors


def main() -> None:
    """Check the named families, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("families", nargs="*", help="families (default: all)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--pictures", type=Path, help="write the pictures into this folder")
    arguments = parser.parse_args()
    floors: list[float] = []
    for name in arguments.families or families.names():
        floors += check(families.load(name), arguments.seed, arguments.count, arguments.pictures)
    print(f"\nblind floor over {len(floors)} fields: {100 * np.mean(floors):.1f} %, "
          f"highest {100 * max(floors):.1f} %")  # fmt: skip


if __name__ == "__main__":
    main()
