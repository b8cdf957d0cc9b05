"""A small task of the figure suite whose scores can be worked out by hand."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
DATA = """condition,group,time,volts
on,a,1,4
on,a,2,5
on,a,3,6
on,b,1,4
on,b,2,8
on,b,3,12
off,a,1,7
off,a,2,7
off,a,3,7
"""
DRAWING = """import pandas as pd
import matplotlib.pyplot as plt
table = pd.read_csv("data/runs.csv")
figure, axes = plt.subplots()
for condition, group in {series}:
    rows = table[(table.condition == condition) & (table.group == group)]
    axes.{call}(rows["time"], rows["volts"], label=group)
{rest}
figure.savefig("figure.png")
"""
# Two lines and a reference line in one panel, on linear axes that span no decade.
DECISIONS = ("data_selection", "encoding", "overlays", "panel_layout", "series_completeness")
SHOWN = (("on", "a"), ("on", "b"))


def script(
    series: tuple[tuple[str, str], ...] = SHOWN, call: str = "plot", rest: str = "axes.axhline(5)"
) -> str:
    return DRAWING.format(series=repr(series), call=call, rest=rest)


def write_task(tasks: Path) -> Path:
    """The task's folder below `tasks`, its reference spec read off its reference figure."""
    folder = tasks / "doubling"
    (folder / "workspace/data").mkdir(parents=True)
    (folder / "workspace/data/runs.csv").write_text(DATA)
    (folder / "workspace/data/SCHEMA.md").write_text("volts: measured voltage in V\n")
    (folder / "workspace/make_figure.py").write_text("# draw the figure here\n")
    (folder / "reference.py").write_text(script())
    record = {
        "id": "doubling", "title": "Doubling", "discipline": "physics", "review": "curated",
        "claim": "With the lamp on, group b passes 5 V long before group a does.",
        "decisions": list(DECISIONS), "derived_columns": [], "answer_tokens": ["axhline"],
        "files": [{
            "path": "data/runs.csv", "source": "made up", "url": "none", "licence": "CC0-1.0",
            "terms": "made up for a test", "sha256": hashlib.sha256(DATA.encode()).hexdigest(),
        }],
    }  # fmt: skip
    (folder / "task.yaml").write_text(yaml.safe_dump(record))
    runner = [sys.executable, "-m", "plotchain_lib.suites.matplotgym.figure.run"]
    subprocess.run(
        [*runner, "../reference.py", "../spec.json"], cwd=folder / "workspace", check=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    outcome = json.loads((folder / "spec.json").read_text())
    spec = outcome["figures"][outcome["chosen"]]
    (folder / "reference_spec.json").write_text(json.dumps(spec))
    for made in ("spec.json", "workspace/figure.png"):
        (folder / made).unlink()
    return folder
