"""What a sandbox shows, where it refuses to open, and what is marked as unsealed."""

import os
import secrets
import shutil
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from plotchain_lib.item import PlotChainError
from plotchain_lib.suites.matplotgym import sandbox
from plotchain_lib.suites.matplotgym.bubblewrap import View, command_line, interpreter
from plotchain_lib.suites.matplotgym.sandbox import LIBRARY, Runs, Sealed
from plotchain_lib.suites.matplotgym.watch import Limits

from .commands import QUICK, alive, bash, gone, python


def test_the_scorers_sandbox_has_the_library_without_its_tasks(workspace: Path) -> None:
    if problem := sandbox.sealing_problem():
        pytest.skip(f"bubblewrap {problem}")
    place = Path(shutil.copytree(LIBRARY / "parse", workspace / "library" / "parse")).parent
    (place / "tasks").mkdir()
    (place / "tasks" / "reference_spec.json").write_text("{}")
    (workspace / "w").mkdir()
    view = View((*interpreter(), place), (place / "tasks",))
    runs = Sealed(shutil.which("bwrap") or "", view, scoring=True)
    result = bash(runs, workspace / "w", f"ls {place} {place}/tasks; touch {place}/tasks/x")
    assert "parse" in result.output and "reference_spec" not in result.output
    assert "Read-only" in result.output
    shutil.rmtree(place)


def test_it_dies_with_the_process_that_started_it(workspace: Path) -> None:
    if problem := sandbox.sealing_problem():
        pytest.skip(f"bubblewrap {problem}")
    mark = secrets.token_hex(8)
    script = (
        "import pathlib\nfrom plotchain_lib.suites.matplotgym.sandbox import open_sandbox\n"
        f"open_sandbox()(['/bin/bash', '-c', 'sleep 60 # {mark}'], pathlib.Path({str(workspace)!r}))"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script], env={**os.environ, "PYTHONPATH": str(LIBRARY.parent)}
    )
    deadline = time.monotonic() + 20
    while len(alive(f"sleep 60 # {mark}")) < 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    process.kill()
    process.wait()
    assert gone(f"sleep 60 # {mark}")


def test_the_interpreter_is_the_scorers(sealed: Runs, workspace: Path) -> None:
    script = "import sys, numpy, pandas, matplotlib; print(sys.prefix, matplotlib.__version__)"
    import matplotlib

    for program in ("python", "python3"):
        result = bash(sealed, workspace, f'{program} -c "{script}"', Limits(seconds=60.0))
        assert result.output == f"{sys.prefix} {matplotlib.__version__}\n"


def test_drawing_finds_its_fonts_prepared(sealed: Runs, workspace: Path) -> None:
    script = (
        "import matplotlib.font_manager as f, matplotlib.pyplot as p, os\n"
        "print(os.listdir(os.environ['MPLCONFIGDIR']))\np.plot([1, 2]); p.savefig('a.png')"
    )
    result = python(sealed, workspace, script, Limits(seconds=60.0))
    assert result.output.startswith("['fontlist-v") and "building" not in result.output
    assert (workspace / "a.png").stat().st_size > 1000


def test_missing_bubblewrap_is_refused_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "sealing_problem", lambda: "is missing")
    with pytest.raises(
        PlotChainError, match=r"bubblewrap \(bwrap\) is missing, .*unsealed: true"
    ) as error:
        sandbox.open_sandbox()
    assert "\n" not in str(error.value)
    monkeypatch.undo()
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert sandbox.sealing_problem.__wrapped__() == "is missing"


def test_unsealed_is_marked_and_still_limited(workspace: Path) -> None:
    runs = sandbox.Unsealed()
    mark = secrets.token_hex(8)
    command = f"setsid bash -c 'sleep 60; true # {mark}' & pwd; echo $OPENAI_API_KEY"
    result = bash(runs, workspace, command)
    assert not result.sealed and result.output == f"{workspace.resolve()}\n\n"
    assert gone(mark)
    assert bash(runs, workspace, "yes").stopped == "output"
    assert bash(runs, workspace, "sleep 60", replace(QUICK, seconds=0.5)).stopped == "time"
    bomb = bash(runs, workspace, "b() { b | b & }; b; sleep 30", replace(QUICK, seconds=2.0))
    assert bomb.stopped or "fork" in bomb.output


def test_an_ordinary_user_is_kept_in_as_well(workspace: Path) -> None:
    """The command line of one who is not root, started as one."""
    if problem := sandbox.sealing_problem():
        pytest.skip(f"bubblewrap {problem}")
    if os.geteuid() != 0:
        pytest.skip("the other tests show it")
    os.chown(workspace, 54321, 54321)
    command = [
        "/bin/bash",
        "-c",
        "id -u; grep Cap /proc/self/status; touch x /y; ls /home; unshare -U id",
    ]
    line = command_line("bwrap", command, View(()), workspace)
    done = subprocess.run(line, capture_output=True, text=True, user=54321, group=54321, extra_groups=[],
                          cwd="/", env={"PATH": "/usr/bin:/bin"}, timeout=30)  # fmt: skip
    assert done.stdout.splitlines()[0] == "54321" and done.stdout.count("0" * 16) == 5
    assert done.stderr.count("touch:") == 1 and (workspace / "x").exists()
    assert "uid=" not in done.stdout and "/home" in done.stderr


def test_what_would_show_the_tasks_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "sealing_problem", lambda: "")
    monkeypatch.setattr(sandbox, "LIBRARY", Path("/usr/src/project/plotchain_lib"))
    with pytest.raises(PlotChainError, match="shows this folder"):
        sandbox.open_sandbox()
    monkeypatch.setattr(sandbox, "LIBRARY", Path("/usr/lib/python3/dist-packages/plotchain_lib"))
    sandbox.open_sandbox()


def test_unsealed_as_root_the_interpreter_must_be_open_to_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = tmp_path / "closed"
    (closed / "venv").mkdir(parents=True)
    closed.chmod(0o700)
    monkeypatch.setattr(sandbox, "sealing_problem", lambda: "is missing")
    monkeypatch.setattr(sandbox, "interpreter", lambda: (closed / "venv",))
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    with pytest.raises(PlotChainError, match="run as an ordinary user"):
        sandbox.open_sandbox(unsealed=True)
    monkeypatch.setattr(sandbox, "interpreter", lambda: (Path("/usr/lib"),))
    assert not sandbox.open_sandbox(unsealed=True).sealed
