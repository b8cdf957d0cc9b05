"""The gates of a strong model, against a scripted chat model behind a local server."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from wire_formats import Question
from wire_servers import WireServer

from plotchain_lib.query import environment
from plotchain_lib.query.broker import status
from plotchain_lib.suites.matplotgym.sandbox import Runs
from plotchain_lib.suites.matplotgym.task import load_task, tasks_root

pytestmark = pytest.mark.long
ROOT = Path(__file__).resolve().parents[3]
KEY = "key-of-the-strong-model-5b2e"
TASK = load_task(tasks_root() / "unemployment-growth")
REFERENCE = TASK.reference.read_text()
# Points of one period only, without lines: by hand, a part of the reference.
PART = """\
import matplotlib.pyplot as plt
import pandas as pd
q = pd.read_csv("data/quarters.csv")
growth, change = 100 * (q.realgdp / q.realgdp.shift(4) - 1), q.unemp - q.unemp.shift(4)
early = q.year.between(1960, 1983)
plt.scatter(growth[early], change[early])
plt.savefig("figure.png")
"""


def says(script: str) -> str:
    return f"```write make_figure.py\n{script}```"


class Solver:
    """Writes a script in its first turn and is done in its second."""

    def __init__(self) -> None:
        self.scripts = [REFERENCE]
        self.started: list[Question] = []

    def __call__(self, question: Question) -> str:
        if question.later:
            return "```done\n```"
        self.started.append(question)
        return says(self.scripts[(len(self.started) - 1) % len(self.scripts)])


class Place:
    """A working folder with a configuration that names the scripted model."""

    def __init__(self, folder: Path, server: WireServer, solver: Solver, runtime: str) -> None:
        self.folder, self.solver = folder, solver
        shutil.copytree(ROOT / "config", folder / "config")
        path = folder / "config/config.yaml"
        config = yaml.safe_load(path.read_text())
        config["models"]["strong"] = {
            "kind": "openai_compatible", "model": "chat", "base_url": server.address,
            "key": "COMPATIBLE_API_KEY",
        }  # fmt: skip
        path.write_text(yaml.safe_dump(config))
        self.variables = {
            **os.environ, "COMPATIBLE_API_KEY": KEY, "PYTHONPATH": str(ROOT),
            "PLOTCHAIN_RUNTIME": runtime, "PLOTCHAIN_IDLE_S": "20",
        }  # fmt: skip

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, str(ROOT / "benchmarks/matplotgym_gates.py"), *arguments]
        return subprocess.run(
            command, cwd=self.folder, env=self.variables, capture_output=True, text=True, timeout=300
        )  # fmt: skip


@pytest.fixture
def place(tmp_path: Path, scoring: Runs, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    solver = Solver()
    with (
        tempfile.TemporaryDirectory(prefix="pc-", dir="/tmp") as runtime,
        WireServer({"openai_compatible": KEY}, answers=solver) as server,
    ):
        monkeypatch.setenv("PLOTCHAIN_RUNTIME", f"{runtime}/r")
        yield Place(tmp_path, server, solver, f"{runtime}/r")
        socket = Path(environment(tmp_path / ".plotchain/cache")["PLOTCHAIN_SOCKET"])
        if found := status(socket) if socket.exists() else None:
            os.kill(int(str(found["pid"])), signal.SIGTERM)
        assert server.complaints == []


def test_one_that_is_told_the_decisions_is_told_and_passes(place: Place) -> None:
    done = place.run("informed", "--model", "strong", "--direct", TASK.id)
    assert (done.returncode, done.stderr) == (0, "")
    assert "informed 1.000" in done.stdout and "1 of 1 tasks pass" in done.stdout
    (question,) = place.solver.started
    assert "What the reference figure decides" in question.prompt
    assert "scatter '1960-1983'" in question.prompt and "fit on series 2" in question.prompt
    # Asked again, nothing is.
    assert place.run("informed", "--model", "strong", "--direct", TASK.id).stdout == done.stdout
    assert len(place.solver.started) == 1


def test_one_that_cannot_draw_what_it_is_told_fails_the_task(place: Place) -> None:
    place.solver.scripts = [PART]
    done = place.run("informed", "--model", "strong", "--direct", TASK.id)
    assert done.returncode == 1 and "a model that was told the decisions gets 0." in done.stdout


def test_five_attempts_through_a_broker_spread(place: Place) -> None:
    place.solver.scripts = [REFERENCE, PART]
    done = place.run("spread", "--model", "strong", TASK.id)
    assert (done.returncode, done.stderr) == (0, "")
    # By hand: of 0.92 (no axis scale is decided), all overlays (0.15) and one of two series (0.04).
    assert "spread   0.21 1.00 0.79" in done.stdout
    assert len(place.solver.started) == 5
    assert not any("decides" in question.prompt for question in place.solver.started)
    kept = sorted((place.folder / "results/gates/spread/strong").iterdir())
    scripts = [json.loads(json.loads(path.read_text())["text"])["submission"] for path in kept]
    assert sorted(scripts) == sorted([REFERENCE] * 3 + [PART] * 2)


def test_attempts_that_do_not_differ_fail_the_task(place: Place) -> None:
    done = place.run("spread", "--model", "strong", "--direct", TASK.id)
    assert done.returncode == 1 and "5 attempts do not spread: 1.000, 1.000" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["informed", "--model", "weak"], "no model 'weak'; known are blind, reader, strong"),
        (["informed", "--model", "strong", "no-such-task"], "no such task: no-such-task"),
        (["spread", "--model", "strong", "--config", "none.yaml"], "none.yaml: "),
    ],
)
def test_wrong_calls_are_one_line(place: Place, arguments: list[str], words: str) -> None:
    done = place.run(*arguments)
    assert done.returncode == 1 and done.stderr.count("\n") == 1 and words in done.stderr


def test_a_key_that_is_missing_is_said_and_nothing_is_scored(place: Place) -> None:
    del place.variables["COMPATIBLE_API_KEY"]
    done = place.run("informed", "--model", "strong", "--direct", TASK.id)
    assert done.returncode == 1 and "pending" in done.stderr and "COMPATIBLE_API_KEY" in done.stderr
    assert place.solver.started == []
