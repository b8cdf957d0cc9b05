"""Whole episodes over HTTP: a scripted chat model behind a server, the broker's asker, the suite's
player in the real sandbox, and the scorer's run of what was submitted."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from wire_formats import Question
from wire_servers import WireServer

from plotchain_lib.files import write_items
from plotchain_lib.item import Field, Item
from plotchain_lib.query import call_text, environment
from plotchain_lib.query.broker import status
from plotchain_lib.suites.matplotgym.player import PLAYER
from plotchain_lib.suites.matplotgym.prompt import REMINDER, prompt_text
from plotchain_lib.suites.matplotgym.sandbox import LIBRARY, Runs
from plotchain_lib.suites.matplotgym.submission import Submitted, run_submission
from plotchain_lib.suites.matplotgym.watch import Limits
from plotchain_lib.suites.matplotgym.workspace import digest, files_of

KEY = "key-of-the-chat-model-8c1d"
RUNNER = (Path(__file__).parent / "runner.py").read_bytes()
DATA = "group,value\na,1\na,3\nb,10\nb,20\n"
SCRIPT = """\
import pandas as pd
import matplotlib.pyplot as plt
table = pd.read_csv("data/runs.csv")
plt.plot(table[table.group == "b"]["value"])
plt.savefig("figure.png")
"""


def bash(command: str) -> str:
    return f"```bash\n{command}\n```"


WRITE, DONE = f"```write make_figure.py\n{SCRIPT}```", "```done\n```"


@dataclass
class Chat:
    """A model that says one reply a turn, the last one for ever after."""

    replies: list[str] = field(default_factory=list)
    before: Callable[[int], None] = lambda turn: None

    def __call__(self, question: Question) -> str:
        turn = len(question.later) // 2 + 1
        self.before(turn)
        return self.replies[min(turn, len(self.replies)) - 1]


class Bench:
    """A folder with one task and its item, a server with a scripted model, and who asks."""

    def __init__(self, folder: Path, server: WireServer, chat: Chat) -> None:
        self.folder, self.server, self.chat = folder, server, chat
        place = folder / "tasks" / "t" / "workspace"
        (place / "data").mkdir(parents=True)
        (place / "make_figure.py").write_text("# draw the figure here\n")
        (place / "data" / "SCHEMA.md").write_text("group: a or b\nvalue: volts\n")
        (place / "data" / "runs.csv").write_text(DATA)
        (place.parent / "reference_spec.json").write_text('{"answer": "canary-of-the-reference"}')
        self.files = files_of(place)
        prompt = prompt_text("In group b the value doubles.", self.files)
        fields = (Field("encoding", "", "a decision", "final"),)
        params = {"task": "t", "tasks": "tasks", "workspace_sha256": digest(self.files)}
        item = Item("t_0", "matplotgym", "physics", "physics", prompt, None, fields,
                    {"encoding": 1.0}, params, None, "clean")  # fmt: skip
        write_items(folder / "t.jsonl", [item])

    def start(self, direct: bool = True, **options: Any) -> subprocess.Popen[str]:
        settings = {"kind": "openai_compatible", "model": "chat", "base_url": self.server.address,
                    "key": "COMPATIBLE_API_KEY"}  # fmt: skip
        call = call_text(dataset="d", model="chat", item="t_0", repeat=1, items="t.jsonl",
                         settings=settings, player=PLAYER,
                         options=options)  # fmt: skip
        variables = {**os.environ, **environment(self.folder / "cache"), "PYTHONPATH": str(LIBRARY.parent),
                     "COMPATIBLE_API_KEY": KEY}  # fmt: skip
        command = [sys.executable, "-m", "plotchain_lib.query", "--direct"]
        if not direct:
            command = [sys.executable, "-I", "-S", variables["PLOTCHAIN_CLIENT"]]
        return subprocess.Popen(
            [*command, "out.json", call], cwd=self.folder, env=variables, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip

    def play(self, *replies: str, **options: Any) -> dict[str, Any]:
        """The record of a whole episode."""
        self.chat.replies = list(replies)
        process = self.start(**options)
        _, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors
        response = json.loads((self.folder / "out.json").read_bytes())
        assert response["outcome"] == "answered"
        record: dict[str, Any] = json.loads(response["text"])
        assert "canary-of-the-reference" not in response["text"]
        return record

    def score(self, record: dict[str, Any], scoring: Runs) -> Submitted:
        files = {**self.files, "runner.py": RUNNER}
        command = [str(Path(sys.executable).absolute()), "runner.py"]
        return run_submission(files, record["submission"], command, scoring, Limits(seconds=30.0))

    def turns_asked(self) -> list[int]:
        return [len(seen.question.later) // 2 + 1 for seen in self.server.seen]

    def journal(self) -> list[tuple[str, int]]:
        lines = [json.loads(line) for path in self.folder.glob("cache/episodes/*/*/journal.jsonl")
                 for line in path.read_bytes().splitlines()]  # fmt: skip
        return [(line["event"], line["turn"]) for line in lines]


@pytest.fixture
def bench(tmp_path: Path, sealed: Runs) -> Iterator[Bench]:
    chat = Chat()
    with WireServer({"openai_compatible": KEY}, answers=chat) as server:
        yield Bench(tmp_path, server, chat)
        assert server.complaints == []


def test_a_good_episode_scores_what_it_drew(bench: Bench, scoring: Runs) -> None:
    record = bench.play(
        bash("head -n 3 data/*.csv"), WRITE, bash("python make_figure.py && ls"), DONE
    )
    assert (record["end"], record["sealed"], len(record["turns"])) == ("done", True, 4)
    assert "figure.png" in record["turns"][2]["output"]
    submitted = bench.score(record, scoring)
    # Worked out by hand: the rows of group b, in their order.
    assert submitted.spec is not None
    assert submitted.spec["panels"][0]["marks"][0]["y"] == [10.0, 20.0]
    assert record["tampering"] == record["outside"] == []
    prompts = {seen.question.prompt for seen in bench.server.seen}
    assert len(prompts) == 1 and "In group b the value doubles." in prompts.pop()
    # Asked again, nothing is: the record is kept.
    assert bench.play("never said") == record and bench.turns_asked() == [1, 2, 3, 4]


def test_a_wasteful_one_is_cut_and_still_counts(bench: Bench, scoring: Runs) -> None:
    loud = bash("seq 100000; echo end")
    record = bench.play(WRITE, *[loud] * 5, DONE)
    assert len(record["turns"]) == 7 and record["end"] == "done"
    output = record["turns"][1]["output"]
    assert len(output) < 12_100 and output.startswith("1\n2\n") and output.endswith("end\n")
    assert "bytes left out" in output
    assert bench.score(record, scoring).spec is not None


def test_malformed_fences_cost_turns_and_no_more(bench: Bench, scoring: Runs) -> None:
    record = bench.play("I shall look at the data first.", "```sh\nls\n```", "```\nwhat\n```",
                        f"~~~python write make_figure.py\n{SCRIPT}~~~", "```done```")  # fmt: skip
    kinds = [turn["kind"] for turn in record["turns"]]
    assert kinds == ["malformed", "bash", "malformed", "write", "done"]
    assert bench.score(record, scoring).spec is not None


@pytest.mark.long
def test_one_that_is_never_done_ends_after_14_turns(bench: Bench, scoring: Runs) -> None:
    record = bench.play(WRITE, bash("echo once more"))
    assert record["end"] == "budget" and bench.turns_asked() == list(range(1, 15))
    assert bench.score(record, scoring).spec is not None


def test_a_script_that_crashes_scores_nothing(bench: Bench, scoring: Runs) -> None:
    record = bench.play("```write make_figure.py\nraise KeyError('volts')\n```", DONE)
    submitted = bench.score(record, scoring)
    assert (submitted.spec, submitted.failure) == (None, "crashed")
    assert submitted.reason == "KeyError: 'volts'"


def test_a_script_that_leans_on_a_file_of_the_agents_crashes(bench: Bench, scoring: Runs) -> None:
    leaning = "```write make_figure.py\nopen('clean.csv')\n```"
    record = bench.play(bash("touch clean.csv"), leaning, bash("python make_figure.py"), DONE)
    assert record["turns"][2]["code"] == 0
    assert "FileNotFoundError" in bench.score(record, scoring).reason


def test_one_that_submits_nothing_is_reminded_and_scores_nothing(
    bench: Bench, scoring: Runs
) -> None:
    draws = f"```python\n{SCRIPT}```"
    record = bench.play(draws, DONE, DONE)
    assert (record["end"], record["submission"], record["reminded"]) == ("done", None, True)
    assert REMINDER in bench.server.seen[-1].question.later[-1]
    assert bench.score(record, scoring).failure == "nothing submitted"


@pytest.mark.long
@pytest.mark.parametrize("when", ["in the command of turn 13", "while turn 14 is answered"])
def test_killed_at_turn_13_nothing_is_asked_twice(bench: Bench, scoring: Runs, when: str) -> None:
    last = bash("sleep 2; date +%s%N >> log; wc -l < log")
    replies = [WRITE, *[bash("date +%s%N | tee -a log")] * 11, last, bash("cat log")]
    bench.chat.replies = replies
    reached = ("reply", 13) if "command" in when else ("turn", 13)

    def slow(turn: int) -> None:
        bench.server.latency_s = 60.0 if turn == 14 else 0.0

    bench.chat.before = slow
    process = bench.start()
    deadline = time.monotonic() + 90
    while reached not in bench.journal():
        assert time.monotonic() < deadline and process.poll() is None
        time.sleep(0.02)
    while "14" in when and bench.turns_asked()[-1] < 14:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    before = len(bench.server.seen)
    bench.chat.before = lambda turn: setattr(bench.server, "latency_s", 0.0)
    record = bench.play(*replies)
    assert bench.turns_asked()[before:] == [14]
    answered = Counter(len(s.question.later) // 2 + 1 for s in bench.server.seen if s.complete)
    assert answered == dict.fromkeys(range(1, 15), 1)
    assert record["end"] == "budget" and record["turns"][12]["output"] == "12\n"
    logged = [turn["output"].strip() for turn in record["turns"][1:12]]
    assert record["turns"][13]["output"].split()[:11] == logged
    assert bench.score(record, scoring).spec is not None


@pytest.mark.long
def test_the_death_of_the_broker_costs_no_turn(
    bench: Bench, scoring: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The real client starts a broker, which is killed; its successor goes on where it was."""
    with tempfile.TemporaryDirectory(prefix="pc-", dir="/tmp") as runtime:
        monkeypatch.setenv("PLOTCHAIN_RUNTIME", f"{runtime}/r")
        monkeypatch.setenv("PLOTCHAIN_IDLE_S", "20")
        bench.chat.replies = [WRITE, bash("date +%s%N | tee log"), bash("sleep 1; cat log"), DONE]
        client = bench.start(direct=False)
        deadline = time.monotonic() + 60
        while ("reply", 3) not in bench.journal():
            assert time.monotonic() < deadline and client.poll() is None
            time.sleep(0.02)
        socket = Path(environment(bench.folder / "cache")["PLOTCHAIN_SOCKET"])
        found = status(socket)
        assert found is not None
        os.kill(int(found["pid"]), signal.SIGKILL)
        _, errors = client.communicate(timeout=60)
        assert (client.returncode, errors) == (0, "")
        successor = status(socket)
        assert successor is not None
        os.kill(int(successor["pid"]), signal.SIGTERM)
    record = json.loads(json.loads((bench.folder / "out.json").read_bytes())["text"])
    assert bench.turns_asked() == [1, 2, 3, 4] and record["end"] == "done"
    assert record["turns"][1]["output"] == record["turns"][2]["output"]
    assert bench.score(record, scoring).spec is not None


def test_a_task_that_changed_is_refused_in_one_line(bench: Bench) -> None:
    (bench.folder / "tasks/t/workspace/data/runs.csv").write_text("other")
    process = bench.start()
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 1 and errors.count("\n") == 1
    assert "not the files the item was made from" in errors and bench.server.seen == []
