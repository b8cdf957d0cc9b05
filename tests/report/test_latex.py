"""The LaTeX tables: sound by their structure, and compiled where an engine is installed."""

from __future__ import annotations

import re
import shutil
import string
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from plotchain_lib.report import ReportInputs, compose, load_datasets, write_tables
from plotchain_lib.report.build import write_table
from plotchain_lib.report.overview import overview_tables
from plotchain_lib.report.tables import Column, Table, table_latex

MakeInputs = Callable[..., ReportInputs]
ENGINES = ("pdflatex", "xelatex", "lualatex", "tectonic")
ENGINE = next(filter(None, map(shutil.which, ENGINES)), None)
TEXTS = (
    string.printable, "–—−±×≤≥·ΔµΩ…°²√αβéü図 ", "\\end{tabular}\\input{x}", "% comment", "[1em]", "*",
    "$x_1^2$ & \\\\", "{", "}", '"`\'', "‘’“”„‰€π∞→",
)  # fmt: skip
HOSTILE = Table(
    name="hostile", title=string.printable, keys=("text",),
    columns=(Column("text", "{&%$#_^~\\", group="$&"), Column("share", "Share", "percent", interval=True,
             group="a_b"), Column("hash", "[Hash]", "hash")),
    records=tuple({"text": text, "share": 0.5, "share_lower": 0.4, "share_upper": 0.6, "hash": text}
                  for text in TEXTS),
)  # fmt: skip


@pytest.fixture
def tables(fake_report: MakeInputs, tmp_path: Path) -> list[Path]:
    """Every table of two datasets, of a run without models, and one of hostile text."""
    one = fake_report(3, "one", items_per_family=2)
    two = fake_report(3, "two", items_per_family=2, seed=2, dataset="other")
    bare = fake_report(0, "bare", items_per_family=1, dataset="bare")
    datasets = load_datasets(
        ReportInputs(one.datasets + two.datasets + bare.datasets, {**bare.models, **one.models})
    )
    folder = tmp_path / "tables"
    write_tables(compose(datasets), folder)
    for table in (*overview_tables(datasets), HOSTILE):
        write_table(table, folder / f"_all-{table.name}")
    return sorted(folder.glob("*.tex"))


def columns_of(row: str) -> int:
    """Columns a row fills, those under a joint heading counted each."""
    bare = re.sub(r"\\.", "", row.replace("\\multicolumn", "MULTICOLUMN"))
    joint = [int(width) for width in re.findall(r"MULTICOLUMN\{(\d+)\}", bare)]
    return bare.count("&") + 1 + sum(joint) - len(joint)


def problems_of(text: str) -> list[str]:
    """What would stop or bend a TeX engine, found without one."""
    found = [] if text.isascii() else ["letters an engine may not know"]
    body = "\n".join(line for line in text.splitlines() if not line.startswith("%"))
    alignment = re.match(r"\\begin\{tabular\}\{([lr]+)\}\n", body)
    if not alignment or not body.endswith("\\end{tabular}\n".rstrip("\n")):
        return [*found, "not one tabular"]
    rows = [line for line in body.splitlines() if line.endswith("\\\\")]
    found += [f"columns: {row}" for row in rows if columns_of(row) != len(alignment[1])]
    bare = re.sub(r"\\[^a-zA-Z]", "", body)
    if bare.count("{") != bare.count("}"):
        found.append("braces")
    if bare.count("$") % 2:
        found.append("dollars")
    found += [f"bare {character}" for character in "%#^_~" if character in bare.replace("~", "")]
    return found


def test_every_table_is_sound(tables: list[Path]) -> None:
    assert len(tables) > 40
    assert {table.name: problems_of(table.read_text()) for table in tables} == {
        table.name: [] for table in tables
    }


@pytest.mark.parametrize(
    ("row", "problem"),
    [("a & b \\\\", "columns"), ("a & b & $ \\\\", "dollars"), ("a & b & { \\\\", "braces"),
     ("a & b & _ \\\\", "bare"), ("a & b & é \\\\", "letters")],
)  # fmt: skip
def test_the_check_finds_what_is_wrong(row: str, problem: str) -> None:
    good = table_latex(HOSTILE)
    assert problems_of(good) == []
    bad = good.replace("\\bottomrule", f"{row}\n\\bottomrule")
    assert problem in " ".join(problems_of(bad))


@pytest.mark.skipif(ENGINE is None, reason="no TeX engine on this machine")
def test_every_table_compiles(tables: list[Path], tmp_path: Path) -> None:
    assert ENGINE is not None
    body = "\n".join(f"\\input{{tables/{table.stem}.tex}}\\newpage" for table in tables)
    document = tmp_path / "all.tex"
    document.write_text(
        "\\documentclass{article}\\usepackage{booktabs}"
        f"\\begin{{document}}\n{body}\n\\end{{document}}\n"
    )
    options = [] if Path(ENGINE).name == "tectonic" else [
        "-interaction=nonstopmode", "-halt-on-error",
    ]  # fmt: skip
    done = subprocess.run(
        [ENGINE, *options, document.name], cwd=tmp_path, capture_output=True, text=True,
        check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:]
    assert (tmp_path / "all.pdf").stat().st_size > 10_000
