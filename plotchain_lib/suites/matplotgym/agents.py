"""What local agents submit: the lazy figures that no task may take for an answer.

A lazy script decides nothing: it draws what there is, or nothing. It knows the workspace's layout
and no task.
"""

from __future__ import annotations

from collections.abc import Mapping

_READ = """\
from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd

tables = []
for path in sorted(Path("data").rglob("*")):
    if path.suffix in (".csv", ".tsv", ".txt"):
        tables.append(pd.read_csv(path, sep=None, engine="python", comment="#"))
"""

LAZY: Mapping[str, str] = {
    "lazy-columns": _READ
    + """
figure, axes = plt.subplots()
for table in tables:
    for name in table.select_dtypes("number"):
        axes.plot(table.index, table[name], label=name)
axes.legend()
figure.savefig("figure.png")
""",
    "lazy-nothing": """\
import matplotlib.pyplot as plt

figure, axes = plt.subplots()
figure.savefig("figure.png")
""",
    "lazy-table": _READ
    + """
figure, axes = plt.subplots()
axes.axis("off")
shown = tables[0].head(30).astype(str)
axes.table(cellText=shown.values, colLabels=list(shown.columns))
figure.savefig("figure.png")
""",
}
