"""A small program that runs a script and writes what it drew: axes, and their lines' values."""

import json
import runpy
import sys
from pathlib import Path

AXIS = {"scale": "linear", "limits": [0.0, 1.0], "set_limits": False, "categories": None}
PANEL = {
    "row": 0, "column": 0, "row_span": 1, "column_span": 1, "role": "main", "of": None,
    "share_x": None, "share_y": None, "projection": "rectilinear", "x": AXIS, "y": AXIS,
    "overlays": [],
}  # fmt: skip


def mark(x: list[float], y: list[float]) -> dict[str, object]:
    return {"kind": "line", "look": 0, "x": x, "y": y}


def main(script: str, out: str, _picture: str) -> None:
    import matplotlib.pyplot as plt

    error = None
    try:
        runpy.run_path(script, run_name="__main__")
    except BaseException as problem:
        error = f"{type(problem).__name__}: {problem}"
    figures = []
    for number in plt.get_fignums():
        panels = [
            {
                **PANEL,
                "marks": [
                    mark([float(x) for x in line.get_xdata()], [float(y) for y in line.get_ydata()])
                    for line in axes.lines
                ],
            }
            for axes in plt.figure(number).axes
        ]
        figures.append({"panels": panels, "unrepresented": []})
    with Path(out).open("w") as stream:
        json.dump(
            {"figures": figures, "chosen": len(figures) - 1 if figures else None, "error": error},
            stream,
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
