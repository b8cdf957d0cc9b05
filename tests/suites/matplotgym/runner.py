"""A small program that runs a script and writes what it drew: axes, and their lines' values."""

import json
import runpy
import sys
from pathlib import Path


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
                "marks": [
                    {"kind": "line", "y": [float(y) for y in line.get_ydata()]}
                    for line in axes.lines
                ]
            }
            for axes in plt.figure(number).axes
        ]
        figures.append({"panels": panels, "unrepresented": []})
    with Path(out).open("w") as stream:
        json.dump(
            {"figures": figures, "chosen": len(figures) - 1 if figures else None, "error": error},
            stream,
        )


main(*sys.argv[1:])
