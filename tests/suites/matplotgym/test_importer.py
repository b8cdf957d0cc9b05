"""Real scripts and notebooks of an author: run as they are, listed, and one figure made a task."""

import json
import shutil
import sys
import sysconfig
import venv
from pathlib import Path

import nbformat
import pytest
import yaml

from plotchain_lib.suites.matplotgym import importer
from plotchain_lib.suites.matplotgym.importing import runs
from plotchain_lib.suites.matplotgym.importing.folder import code_lines
from plotchain_lib.suites.matplotgym.sandbox import sealing_problem
from plotchain_lib.suites.matplotgym.submissions import scoring_sandbox
from plotchain_lib.suites.matplotgym.task import draw_reference, load_tasks, task_defects

HELPERS = """\
import pandas as pd

def load_runs(path):
    frame = pd.read_csv(path)
    frame["throughput"] = frame["samples"] / frame["seconds"]
    return frame
"""
SCRIPT = '''\
"""The two figures of the paper."""
import sys
import matplotlib
matplotlib.use("TkAgg")
import matplotlib.pyplot as plt
import telemetry.client
from telemetry import traced
from helpers import load_runs

plt.style.use("house-style")
measured_runs = load_runs("../data/runs.csv")
chosen_nodes = [int(argument) for argument in sys.argv[1:]] or [8, 16]

@traced
def draw_throughput(axis, nodes):
    part = measured_runs[measured_runs["nodes"] == nodes]
    axis.plot(part["batch"], part["throughput"], "o", label=f"{nodes} nodes")

figure, axes = plt.subplots(1, 2, figsize=(8, 3))
for axis, nodes in zip(axes, chosen_nodes):
    draw_throughput(axis, nodes)
    axis.axhline(50.0, linestyle="--")
    axis.set_xscale("log")
plt.savefig("out/throughput.pdf")
plt.savefig("/home/author/paper/throughput.png")
plt.close(figure)
plt.bar(["eight", "sixteen"], measured_runs.groupby("nodes")["seconds"].mean())
plt.show()
'''
ROWS = [
    (n, b, n * b * 10, n * b * 10 / (30 + n + b / 4)) for n in (8, 16) for b in (1, 2, 4, 8, 16, 32)
]
TABLE = "nodes,batch,samples,seconds\n" + "".join(f"{n},{b},{s},{t:.4f}\n" for n, b, s, t in ROWS)
STUBS = ["--stub", "telemetry"]
TEXTS = {
    "id": "throughput-saturation", "title": "Throughput", "discipline": "ml-systems",
    "claim": "Throughput stays below fifty samples a second on eight nodes as the batch grows.",
    "source": "Measured", "url": "https://example.org/runs", "licence": "CC0-1.0",
    "terms": "CC0 permits any use.",
}  # fmt: skip
OPTIONS = [word for name, text in TEXTS.items() for word in (f"--{name}", text)]

pytestmark = pytest.mark.long  # each import runs its figures several times
needs_sandbox = pytest.mark.skipif(bool(sealing_problem()), reason="bubblewrap does not work here")


def make_paper(folder: Path) -> Path:
    (folder / "code" / "out").mkdir(parents=True)
    (folder / "data").mkdir()
    (folder / "code" / "plot.py").write_text(SCRIPT)
    (folder / "code" / "helpers.py").write_text(HELPERS)
    (folder / "data" / "runs.csv").write_text(TABLE)
    return folder


@pytest.fixture
def paper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A paper's folder, and the user in it."""
    monkeypatch.chdir(make_paper(tmp_path / "paper"))
    return tmp_path / "paper"


def run(*words: object) -> int:
    return importer.main([str(word) for word in words])


def spec(folder: Path, number: int) -> dict:
    return json.loads((folder / f"figure-{number}.spec.json").read_text())


@needs_sandbox
def test_all_figures_are_listed_and_nothing_else_is_written(
    paper: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("code/plot.py", "--data", "data", *STUBS) == 0
    out = capsys.readouterr().out
    assert (
        "figure 1: 8 x 3 in, 2 panels, 2 scatter, with 2 reference line, "
        "saved as throughput.pdf, throughput.png\n" in out
    )
    assert "figure 2: 6.4 x 4.8 in, 1 panel, 1 bar\n" in out
    assert "style 'house-style' is not there" in out and "the backend stays Agg" in out
    assert "savefig(throughput.png) failed" in out and "savefig(throughput.pdf)" not in out
    found = paper / "plot-figures"
    panel = spec(found, 1)["panels"][1]
    assert panel["marks"][0]["y"] == pytest.approx([46 + b / 4 for _, b, *_ in ROWS[6:]], rel=1e-4)
    assert panel["x"]["scale"] == "log" and panel["overlays"][0]["value"] == 50
    assert spec(found, 2)["panels"][0]["marks"][0]["x"] == ["eight", "sixteen"]
    for name in ("figure-1.png", "figure-2.png", "figure-1.redrawn.png"):
        assert (found / name).read_bytes().startswith(b"\x89PNG")
    # What the script saved and cached stayed in the sandbox.
    assert sorted(path.name for path in paper.rglob("*") if found not in path.parents) == [
        "code", "data", "helpers.py", "out", "plot-figures", "plot.py", "runs.csv",
    ]  # fmt: skip


@needs_sandbox
def test_a_figure_becomes_a_task_without_the_code(
    paper: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (paper / "data" / "README.txt").write_text("Rows as they were measured.\n")
    for name in ("prepare.py", "figure.png"):  # never shipped
        (paper / "data" / name).write_text("import pandas as pd\n")
    assert run("code/plot.py", "--data", "data", *STUBS) == 0
    capsys.readouterr()
    words = ("code/plot.py", "--data", "data", *STUBS, "--figure", 1, *OPTIONS)
    assert run(*words) == 1  # the schema is a draft
    out = capsys.readouterr().out
    assert "nothing was run again" in out
    assert "passed over: figure.png: a picture, maybe of the answer, not shipped" in out
    assert "passed over: prepare.py: code, not shipped" in out
    assert (
        out.count("to mend:") == 1
        and "itself: itself 1.00\nredrawn: redrawn 1.00\nlazy: lazy-columns 0." in out
    )
    folder = paper / "tasks" / TEXTS["id"]
    assert sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()) == [
        "reference_spec.json", "task.yaml", "workspace/data/README.txt",
        "workspace/data/SCHEMA.md", "workspace/data/runs.csv", "workspace/make_figure.py",
    ]  # fmt: skip
    held = "\n".join(path.read_text() for path in folder.rglob("*") if path.is_file())
    lines = code_lines(SCRIPT) | code_lines(HELPERS)
    assert len(lines) > 20 and not [line for line in lines if line in held]
    assert [path.name for path in (paper / "tasks").iterdir()] == [folder.name]

    (defect,) = task_defects(folder)
    assert "TO BE FILLED IN" in defect and f"to mend: {defect}" in out
    schema = folder / "workspace" / "data" / "SCHEMA.md"
    assert "- seconds: TO BE FILLED IN (number, e.g. 2.0915)" in schema.read_text()
    schema.write_text("# data/runs.csv\nOne row per run; seconds: wall clock, s.\n")
    tasks = load_tasks(paper / "tasks")
    (task,) = tasks["ml-systems"]
    assert task.review == "imported" and task.reference is None and not tasks["biology"]
    assert set(task.decisions) >= {"data_selection", "overlays", "axis_scales", "panel_layout"}
    assert json.loads(task.reference_spec.read_text()) == spec(paper / "plot-figures", 1)
    record = yaml.safe_load((folder / "task.yaml").read_text())
    assert record["origin"]["sealed"] is True and record["origin"]["of_figures"] == 2
    assert record["origin"]["versions"]["python"] == ".".join(map(str, sys.version_info[:3]))
    assert draw_reference(task, scoring_sandbox(unsealed=False)).startswith(b"\x89PNG")
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert run(*words) == 2
    assert "already there; choose another --id" in capsys.readouterr().err
    assert before == {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@needs_sandbox
def test_a_line_of_code_among_the_data_stops_the_import(
    paper: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (paper / "data" / "notes.txt").write_text("How we did it:\n    frame = pd.read_csv(path)\n")
    words = ("code/plot.py", "--data", "data", *STUBS, "--figure", 2, *OPTIONS)
    assert run(*words) == 2
    assert "notes.txt holds a line of code ('frame = pd.read_csv(path)')" in capsys.readouterr().err
    assert list((paper / "tasks").iterdir()) == []
    # A few chosen files are shipped, and the user's own schema; the run is the one kept.
    (paper / "schema.md").write_text("# data/runs.csv\nOne row per run.\n")
    described = paper / "task.yaml"
    described.write_text(yaml.safe_dump({**TEXTS, "answer_tokens": ["batch"]}))
    chosen = ("--figure", 2, "--task", described, "--file", "runs.csv", "--schema", "schema.md")
    assert run("code/plot.py", "--data", "data", *STUBS, *chosen) == 1
    out = capsys.readouterr().out
    assert "nothing was run again" in out and "answer token 'batch'" in out
    shipped = paper / "tasks" / TEXTS["id"] / "workspace" / "data"
    assert sorted(path.name for path in shipped.iterdir()) == ["SCHEMA.md", "runs.csv"]
    # Changed data: the figures are drawn anew.
    (paper / "data" / "runs.csv").write_text(TABLE.replace("8,1,80,", "8,1,800,"))
    assert run("code/plot.py", "--data", "data", *STUBS) == 0
    assert "nothing was run again" not in capsys.readouterr().out


CELLS = [
    "%matplotlib inline\n!pip install pandas\nimport matplotlib.pyplot as plt\nimport pandas as pd",
    "%%bash\nls",
    "frame = pd.read_csv('../data/runs.csv')\nfig, ax = plt.subplots()\nax.plot(frame['batch'])",
    "plt.plot(frame['seconds'])  # no figure of the cell before\nplt.yscale('log')",
    "ax.plot(frame['nodes'])\nfig",
    "%time total = frame['samples'].sum()\ntext = '''\n%not magic\n'''\nassert len(text) == 12",
    "display(frame)\nplt.hist(frame['seconds'] * (total > 0), bins=4)",
]


@needs_sandbox
def test_a_notebook_is_run_as_a_notebook(paper: Path, capsys: pytest.CaptureFixture[str]) -> None:
    book = nbformat.v4.new_notebook()
    book.cells = [nbformat.v4.new_markdown_cell("# Figures")]
    book.cells += [nbformat.v4.new_code_cell(cell) for cell in CELLS]
    nbformat.write(book, paper / "code" / "figures.ipynb")
    assert run("code/figures.ipynb", "--data", "data", "--figures", "seen") == 0
    out = capsys.readouterr().out
    for line in ("cell 2: %matplotlib inline", "cell 2: !pip install pandas", "cell 3: %%bash"):
        assert f"passed over: {line}" in out
    marks = [[m["kind"] for m in spec(paper / "seen", n)["panels"][0]["marks"]] for n in (1, 2, 3)]
    # In the order of their last moments: the second figure ended before the first was shown again.
    assert marks == [["line"], ["line", "line"], ["histogram"]] and "figure 4" not in out
    assert spec(paper / "seen", 1)["panels"][0]["y"]["scale"] == "log"


@needs_sandbox
@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("import absent_library", "plot.py, line 1: ModuleNotFoundError: No module named 'absent_library'; name an"),
        ("def broken(", "SyntaxError"),
        ("print('no picture')", "the script drew no figure"),
        ("import matplotlib.pyplot as plt\nplt.subplots()\nplt.show()", "the script drew an empty figure"),
        ("import os; print('gone', flush=True); os._exit(3)", "it ended with exit code 3 before its figures were written: gone"),
        ("import sys; sys.exit('no input')", "SystemExit: no input"),
        ("open('SECRET').read()", "FileNotFoundError"),
        ("import socket; socket.create_connection(('192.0.2.1', 80))", "OSError: [Errno 101] Network is unreachable"),
    ],
)  # fmt: skip
def test_a_script_that_gives_no_figure_is_one_line(
    paper: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], script: str, message: str
) -> None:
    (tmp_path / "secret").write_text("outside the project")
    (paper / "code" / "plot.py").write_text(script.replace("SECRET", str(tmp_path / "secret")))
    assert run("code/plot.py", "--data", "data", "--figures", "seen") == 2
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1 and "see seen/log.txt" in error
    assert (paper / "seen" / "log.txt").is_file() and not (paper / "tasks").exists()


@needs_sandbox
def test_figures_before_a_crash_can_be_taken(
    paper: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (paper / "code" / "plot.py").write_text(SCRIPT + "print(undefined_name)\n")
    words = ("code/plot.py", "--data", "data", *STUBS)
    assert run(*words) == 2
    error = capsys.readouterr().err
    assert "plot.py, line 29: NameError: name 'undefined_name' is not defined" in error
    assert "2 figures before that can be taken with --despite-crash" in error
    assert "Traceback" in (paper / "plot-figures" / "log.txt").read_text()
    assert run(*words, "--despite-crash") == 0


@needs_sandbox
def test_a_limit_of_time_is_told(paper: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (paper / "code" / "plot.py").write_text("import time; time.sleep(60)")
    assert run("code/plot.py", "--data", "data", "--seconds", 2) == 2
    assert "it ran for 2 s; allow more with --seconds" in capsys.readouterr().err


@needs_sandbox
def test_arguments_working_directory_and_links(
    paper: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (paper / "code" / "plot.py").write_text(
        "import sys, pathlib, dataclasses, beside_cwd, matplotlib.pyplot as plt\n"
        "assert pathlib.Path('SHOWN/a.txt').read_text() == 'shown'\n"
        "@dataclasses.dataclass\nclass A:\n    x: int = 1\n"
        "assert dataclasses.fields(A)[0].type is int\n"
        "assert sys.argv[1:] == ['--log', 'x'] and __name__ == '__main__'\n"
        "assert sys.argv[0] == 'code/plot.py' and not pathlib.Path('leads_out.txt').exists()\n"
        "plt.plot([len(pathlib.Path('linked/runs.csv').read_text())])\n".replace(
            "SHOWN", str(tmp_path / "shown")
        )
    )
    (paper / "beside_cwd.py").write_text("")
    (tmp_path / "shown").mkdir()
    (tmp_path / "shown" / "a.txt").write_text("shown")
    (tmp_path / "secret.txt").write_text("secret")
    (paper / "leads_out.txt").symlink_to(tmp_path / "secret.txt")
    (paper / "data").rename(tmp_path / "elsewhere")
    (paper / "linked").symlink_to(tmp_path / "elsewhere")
    (paper / "loop").symlink_to(paper)
    words = ("--data", "linked", "--cwd", ".", "--show", tmp_path / "shown", "--", "--log", "x")
    assert run("code/plot.py", *words) == 0
    assert "leads_out.txt: a link that leads out of the folder" in capsys.readouterr().out
    marks = spec(paper / "plot-figures", 1)["panels"][0]["marks"]
    assert marks[0]["y"] == [len(TABLE)]


def environment(folder: Path, packages: str = "") -> Path:
    """A virtual environment without pip; `packages`: where it finds libraries."""
    venv.create(folder, with_pip=False)
    (site,) = folder.glob("lib/python*/site-packages")
    (site / "own_pin.py").write_text("VALUE = 7\n")
    if packages:
        (site / "libraries.pth").write_text(packages + "\n")
    return folder / "bin" / "python"


@needs_sandbox
def test_another_interpreter_runs_it_with_its_own_packages(
    paper: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    python = environment(tmp_path / "pins", sysconfig.get_path("purelib"))
    (paper / "code" / "plot.py").write_text(
        "import sys, own_pin, matplotlib.pyplot as plt\n"
        f"assert sys.prefix == {str(tmp_path / 'pins')!r}\n"
        "plt.plot([own_pin.VALUE, 1])\n"
    )
    words = ("code/plot.py", "--data", "data")
    assert run(*words) == 2
    assert "No module named 'own_pin'" in capsys.readouterr().err
    assert run(*words, "--python", python) == 0
    assert spec(paper / "plot-figures", 1)["panels"][0]["marks"][0]["y"] == [7, 1]


@needs_sandbox
def test_an_interpreter_without_matplotlib(
    paper: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    python = environment(tmp_path / "bare")
    assert run("code/plot.py", "--data", "data", "--python", python) == 2
    error = capsys.readouterr().err
    assert "cannot import Matplotlib (No module named 'matplotlib'); name another" in error


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["gone.py", "--data", "data"], "gone.py: no such script; check its path"),
        (["data/runs.csv", "--data", "data"], "neither a Python script (.py) nor a notebook"),
        (["code/plot.py", "--data", "nowhere"], "nowhere: no such folder; check --data"),
        (["code/plot.py", "--data", "data", "--root", "code"], "data: outside "),
        (["code/plot.py", "--data", "data", "--cwd", "..", "--root", "."], "..: outside "),
        (["code/plot.py", "--data", "/usr/share"], "have only / in common"),
        (["code/plot.py", "--data", "data", "--python", "/nowhere/python"], "no such interpreter"),
        (["code/plot.py", "--data", "data", "--python", "/bin/true"], "not a Python 3 interpreter"),
        (["code/plot.py", "--data", "data", "--show", "nowhere"], "no such folder to show"),
        (["code/plot.py", "--data", "data", "--stub", "a b"], "not the name of a module"),
        (["code/plot.py", "--data", "data", "--stub", "numpy"], "it is needed"),
        (["code/plot.py", "--data", "data", "--figures", "code"], "no list of figures"),
        (["code/plot.py", "--data", "data", "--seconds", "0"], "numbers above 0"),
        (["code/plot.py", "--data", "data", "--figure", "1"], "--id, --title, --claim, --discipline"),
    ],
)  # fmt: skip
def test_bad_input_is_one_line(
    paper: Path, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    if sealing_problem():
        words = [*words, "--unsealed"]
    assert importer.main(words) == 2
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--discipline", "alchemy"], "unknown discipline alchemy; use one of ml-systems, biology"),
        (["--id", "../a"], "use letters, digits, points"),
        (["--file", "../code/plot.py"], "outside"),
        (["--file", "gone.csv"], "no such file in"),
        (["--schema", "gone.md"], "check --schema"),
        (["--licence", ""], "--licence missing"),
        (["--task", "gone.yaml"], "gone.yaml: cannot be read"),
        (["--task", "code/plot.py"], "code/plot.py: "),
    ],
)
def test_a_bad_task_is_told_before_anything_runs(
    paper: Path, capsys: pytest.CaptureFixture[str], more: list[str], message: str
) -> None:
    words = ["code/plot.py", "--data", "data", "--unsealed", "--figure", "1", *OPTIONS, *more]
    assert importer.main(words) == 2
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1
    assert not (paper / "tasks").exists() and not (paper / "plot-figures").exists()


@needs_sandbox
def test_a_figure_that_is_not_there(paper: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (paper / "code" / "plot.py").write_text(
        "import matplotlib.pyplot as plt\nplt.subplots()\nplt.savefig('empty.png')\nplt.close()\n"
        "plt.plot([1, 2])\n"
    )
    words = ("code/plot.py", "--data", "data", *OPTIONS)
    for number, message in (
        ("3", "there are 2; choose from 1 to 2"), ("0", "there are 2"), ("1", "shows no mark"),
    ):  # fmt: skip
        assert run(*words, "--figure", number) == 2
        assert message in capsys.readouterr().err
    assert not (paper / "tasks").exists()


def test_without_bubblewrap_it_is_refused(
    paper: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "sealing_problem", lambda: "is missing")
    assert run("code/plot.py", "--data", "data") == 2
    error = capsys.readouterr().err
    assert "bubblewrap (bwrap) is missing" in error and "--unsealed" in error


def test_files_of_a_listing_are_not_mixed_with_the_users(paper: Path) -> None:
    """A folder that was a listing and holds something else now is left alone."""
    from plotchain_lib.item import PlotChainError
    from plotchain_lib.suites.matplotgym.importing import listing
    from plotchain_lib.suites.matplotgym.importing.runs import Recorded

    empty = Recorded([], [], "", [], {}, "printed", True)
    listing.write_listing(paper / "seen", empty, "a", "plot.py")
    assert listing.read_listing(paper / "seen", "a") is not None
    assert listing.read_listing(paper / "seen", "b") is None
    listing.write_listing(paper / "seen", empty, "b", "plot.py")
    (paper / "seen" / "thesis.tex").write_text("")
    with pytest.raises(PlotChainError, match="no list of figures"):
        listing.write_listing(paper / "seen", empty, "c", "plot.py")
    shutil.rmtree(paper / "seen")
    assert not [path for path in paper.iterdir() if path.name.startswith(".")]
