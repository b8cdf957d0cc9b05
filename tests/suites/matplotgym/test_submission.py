"""A submitted script in the scorer's sandbox, honest or not."""

import json
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from plotchain_lib.item import PlotChainError
from plotchain_lib.suites.matplotgym.sandbox import Runs
from plotchain_lib.suites.matplotgym.submission import OUT, Submitted, read_outcome, run_submission
from plotchain_lib.suites.matplotgym.watch import Limits

sys.path.insert(0, str(Path(__file__).parent))

import runner

RUNNER = (Path(__file__).parent / "runner.py").read_bytes()
FILES = {"data/a.csv": b"x\n1\n4\n9\n", "make_figure.py": b"# stub\n", "runner.py": RUNNER}
COMMAND = [str(Path(sys.executable).absolute()), "runner.py"]
LIMITS = Limits(seconds=30.0)
GOOD = """
import pandas as pd
import matplotlib.pyplot as plt
plt.plot(pd.read_csv("data/a.csv")["x"])
plt.savefig("figure.png")
"""


def run(scoring: Runs, script: str | None, limits: Limits = LIMITS) -> Submitted:
    return run_submission(FILES, script, COMMAND, scoring, limits)


def ys(submitted: Submitted) -> object:
    assert submitted.spec is not None, submitted
    return submitted.spec["panels"][0]["marks"][0]["y"]


def test_the_figure_is_read_and_not_its_picture(scoring: Runs) -> None:
    started = time.monotonic()
    found = run(scoring, GOOD)
    assert ys(found) == [1.0, 4.0, 9.0] and found.sealed and found.failure == ""
    assert time.monotonic() - started < 15  # on a busy machine; docs have the figure of a quiet one
    # A picture that shows something else changes nothing.
    other = GOOD.replace('plt.savefig("figure.png")', 'open("figure.png", "w").write("9 panels")')
    assert ys(run(scoring, other)) == [1.0, 4.0, 9.0]


@pytest.mark.parametrize(
    ("script", "failure", "reason"),
    [
        (None, "nothing submitted", ""),
        ("1 / 0", "crashed", "ZeroDivisionError: division by zero"),
        ("import os; os._exit(0)", "crashed", "exit code 0"),
        ("import os; os.kill(os.getpid(), 9)", "crashed", "exit code 137"),
        ("print('score: 1.000')", "drew nothing", "no figure"),
        ("import matplotlib.pyplot as plt\nplt.figure()", "drew nothing", "the figure has no panel"),
        ("open('other', 'w')\nopen('/x', 'w')", "crashed", "Read-only file system"),
        ("def broken(", "crashed", "SyntaxError"),
    ],
)  # fmt: skip
def test_what_is_no_figure(scoring: Runs, script: str | None, failure: str, reason: str) -> None:
    found = run(scoring, script)
    assert found.spec is None and found.failure == failure and reason in found.reason
    assert "\n" not in found.reason


def test_limits_hold(scoring: Runs) -> None:
    found = run(scoring, "import time; time.sleep(60)", replace(LIMITS, seconds=2.0))
    assert (found.failure, found.reason) == ("stopped", "the limit of time was reached")
    assert run(scoring, "while True: print('x' * 1000)").reason == "the limit of output was reached"


def test_a_printed_score_and_a_forged_file_are_no_score(scoring: Runs) -> None:
    forged = "import os\nos.write(1, b'score 1.000')\nopen('.figure_spec.json', 'w').write('{%s}')\nos._exit(0)"
    score = run(scoring, forged % '"score": 1.0, "solved": true')
    assert score.spec is None and score.failure == "crashed" and "other keys" in score.reason
    # A forged spec is what it says and no more: it is compared like any other.
    panel = {**runner.PANEL, "marks": [runner.mark([1.0], [7.0])]}
    outcome = json.dumps({"figures": [{"panels": [panel]}], "chosen": 0, "error": None})[1:-1]
    assert ys(run(scoring, forged % outcome)) == [7.0]
    # One that cannot be compared with any is none, and nobody's judging stops at it.
    part = run(scoring, forged % outcome.replace("[1.0]", "[1.0, 2.0]"))
    assert part.spec is None and part.failure == "crashed"
    assert part.reason == (
        "the figure's spec is none: panel 0: mark 0: x and y are not equally long"
    )
    pickled = "import pickle\nopen('.figure_spec.json', 'wb').write(pickle.dumps({'figures': []}))\nimport os; os._exit(0)"
    assert "no JSON" in run(scoring, pickled).reason
    link = "import os\nos.symlink('/proc/self/environ', '.figure_spec.json')\nos._exit(0)"
    assert run(scoring, link).failure == "crashed"


def test_patching_what_reads_the_figure_gains_nothing(scoring: Runs) -> None:
    """Matplotlib patched so that every line claims other values: they are compared as claimed."""
    script = (
        "import matplotlib.lines as l, matplotlib.pyplot as plt\n"
        "l.Line2D.get_ydata = lambda self: [100.0, 100.0]\nplt.plot([1, 2])"
    )
    assert ys(run(scoring, script)) == [100.0, 100.0]
    harness = (
        "import pathlib, plotchain_lib\n"
        "place = pathlib.Path(plotchain_lib.__file__).parent / 'suites/matplotgym/tasks'\n"
        "found = list(place.rglob('*')) if place.exists() else []\n"
        "import matplotlib.pyplot as plt\nplt.plot([len(found)])\n"
        "(place.parent / 'sandbox.py').write_text('')"
    )
    found = run(scoring, harness)
    assert found.failure == "crashed" and "Read-only" in found.reason
    assert ys(run(scoring, harness.rpartition("\n")[0])) == [0.0]


def test_a_run_starts_from_the_shipped_workspace(scoring: Runs) -> None:
    left = (
        "open('left', 'w')\nimport os, matplotlib.pyplot as plt\nplt.plot([len(os.listdir('.'))])"
    )
    assert ys(run(scoring, left)) == ys(run(scoring, left)) == [4.0]  # data, script, runner, left


@pytest.mark.parametrize(
    "content",
    [b"", b"\xff", b"[]", b"{}", b'{"figures": [], "chosen": null}', b"[" * 100_000,
     b'{"figures": [], "chosen": 0, "error": null}', b'{"figures": [{}], "chosen": true, "error": null}',
     b'{"figures": [{}], "chosen": -1, "error": null}', b'{"figures": [1], "chosen": 0, "error": null}',
     b'{"figures": {}, "chosen": null, "error": null}', b'{"figures": [], "chosen": null, "error": 1}',
     b'{"figures": [{"y": NaN}], "chosen": 0, "error": null}',
     b'{"figures": [], "figures": [{}], "chosen": 0, "error": null}',
     b'{"figures": [], "chosen": null, "error": null, "score": 1}'],
)  # fmt: skip
def test_what_is_no_outcome_is_refused(content: bytes) -> None:
    with pytest.raises(PlotChainError):
        read_outcome(content)


def test_drawing_nothing_is_no_crash(scoring: Runs) -> None:
    error = '"error": "the script drew no figure"'
    script = f"import os\nopen('.figure_spec.json', 'w').write('{{\"figures\": [], \"chosen\": null, {error}}}')\nos._exit(0)"
    assert run(scoring, script).failure == "drew nothing"


def test_an_outcome_is_read() -> None:
    record = {"figures": [{"panels": []}], "chosen": None, "error": "x"}
    assert read_outcome(json.dumps(record).encode()) == ([{"panels": []}], None, "x")
    assert OUT.startswith(".")
