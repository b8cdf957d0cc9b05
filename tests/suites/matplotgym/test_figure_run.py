"""A script → its figures, in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from plotchain_lib.suites.matplotgym.figure import run as runner

HEAD = "import matplotlib.pyplot as plt\n"


def run(folder: Path, text: str) -> dict[str, Any]:
    (folder / "make_figure.py").write_text(text)
    command = [sys.executable, "-m", runner.__name__, "make_figure.py", "out.json"]
    done = subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=60)
    assert not done.stderr
    return json.loads((folder / "out.json").read_text())


def kinds(result: dict[str, Any]) -> list[list[str]]:
    return [[m["kind"] for p in f["panels"] for m in p["marks"]] for f in result["figures"]]


def test_the_last_saved_figure_is_chosen(tmp_path: Path) -> None:
    text = (
        "plt.plot([1, 2], [1, 2]); plt.savefig('a.png')\n"
        "plt.plot([1, 2, 3], [3, 3, 4]); plt.savefig('a.pdf'); plt.close()\n"
        "plt.bar([1], [2]); plt.savefig('b.png'); plt.clf()\n"
        "plt.scatter([1], [2])\n"
        "if __name__ == '__main__': plt.show()\n"
    )
    result = run(tmp_path, HEAD + text)
    assert kinds(result) == [["line", "line"], ["bar"], ["scatter"]]
    assert (result["chosen"], result["error"]) == (1, None)


def test_an_unsaved_figure_counts_where_none_was_saved(tmp_path: Path) -> None:
    result = run(tmp_path, HEAD + "plt.figure(); plt.savefig('e.png'); plt.plot([1, 2], [2, 1])\n")
    assert kinds(result)[result["chosen"]] == ["line"]


def test_a_figure_closed_before_the_end_is_kept(tmp_path: Path) -> None:
    result = run(tmp_path, HEAD + "plt.plot([1, 2], [2, 1]); plt.close('all')\n")
    assert kinds(result) == [["line"]]


def test_capture_does_not_change_the_current_figure(tmp_path: Path) -> None:
    text = (
        "one = plt.figure(); plt.plot([1, 2, 3], [2, 1, 3])\n"
        "two = plt.figure(); plt.bar([1], [1]); three = plt.figure(); plt.bar([1], [2])\n"
        "plt.figure(one); plt.close(three); plt.show()\n"
        "plt.scatter([1, 5, 2], [1, 1, 1]); one.savefig('a.png')\n"
    )
    result = run(tmp_path, HEAD + text)
    assert kinds(result)[result["chosen"]] == ["line", "scatter"]


def test_a_figure_without_pyplot_is_seen(tmp_path: Path) -> None:
    text = (
        "from matplotlib.figure import Figure\n"
        "f = Figure(); f.subplots().plot([1, 2], [2, 1]); f.savefig('a.png')\n"
    )
    assert kinds(run(tmp_path, text)) == [["line"]]


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("raise ValueError('no\\nlines')", "ValueError: no"),
        ("import sys; sys.exit(3)", "SystemExit: 3"),
        ("import sys; sys.exit()", runner.NOTHING),
        ("x = 1", runner.NOTHING),
        ("x = ", "SyntaxError: invalid syntax"),
        (HEAD + "plt.figure()", runner.NOTHING),
        (HEAD + "plt.subplots(); plt.savefig('a.png')", runner.EMPTY),
    ],
)
def test_what_is_no_figure_is_a_result(tmp_path: Path, text: str, error: str) -> None:
    result = run(tmp_path, text)
    assert result["error"].startswith(error)
    assert result["chosen"] is None


def test_what_was_drawn_before_a_crash_is_kept(tmp_path: Path) -> None:
    result = run(tmp_path, HEAD + "plt.plot([1, 2], [2, 1]); plt.savefig('a.png'); 1 / 0\n")
    assert (kinds(result), result["error"]) == ([["line"]], "ZeroDivisionError: division by zero")


def test_a_wrong_call_says_how(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert runner.main([str(tmp_path / "absent.py"), "out.json"]) == 2
    assert "usage" in capsys.readouterr().err
