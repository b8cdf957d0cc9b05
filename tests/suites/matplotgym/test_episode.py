"""Whole episodes against scripted replies, in the real sandbox, killed and gone on with."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from plotchain_lib.item import PlotChainError
from plotchain_lib.suites.matplotgym.episode import Message, Start, play
from plotchain_lib.suites.matplotgym.journal import Journal
from plotchain_lib.suites.matplotgym.prompt import REMINDER, prompt_text
from plotchain_lib.suites.matplotgym.sandbox import Runs
from plotchain_lib.suites.matplotgym.watch import Limits

STUB = b"# draw the figure here\n"
FILES = {"make_figure.py": STUB, "data/SCHEMA.md": b"a: volts", "data/a.csv": b"a\n1\n"}
LIMITS = Limits(seconds=20.0, workspace_bytes=1 << 20)
START = Start("Draw.", FILES, limits=LIMITS)
WRITE = "```write make_figure.py\nprint(1)\n```"
DONE = "```done\n```"


class KilledError(Exception):
    """Stands for the end of the process."""


class Model:
    """Says its replies one after the other, the last one for ever; keeps what it was asked."""

    def __init__(self, *replies: str, **more: Any) -> None:
        self.replies, self.more = replies, more
        self.asked: list[list[Message]] = []

    def __call__(self, messages: Sequence[Message]) -> Mapping[str, Any]:
        self.asked.append([dict(message) for message in messages])
        turn = sum(message["role"] == "assistant" for message in messages)
        text = self.replies[min(turn, len(self.replies) - 1)]
        if text == "KILL":
            raise KilledError
        about = {"outcome": "answered", "reason": "", "input_tokens": 10, "output_tokens": 2}
        return {"text": text, **about, **self.more}

    @property
    def last(self) -> str:
        return self.asked[-1][-1]["text"]


def bash(command: str) -> str:
    return f"I try this.\n```bash\n{command}\n```"


def kinds(record: Mapping[str, Any]) -> list[str]:
    return [turn["kind"] for turn in record["turns"]]


def test_a_good_episode(sealed: Runs, tmp_path: Path) -> None:
    model = Model(bash("cat data/a.csv"), WRITE, bash("python make_figure.py"), DONE)
    record = play(START, model, sealed, tmp_path)
    assert (record["end"], record["submission"], record["sealed"]) == ("done", "print(1)\n", True)
    assert kinds(record) == ["bash", "write", "bash", "done"] and not record["reminded"]
    assert record["turns"][0]["output"] == "a\n1\n" and record["turns"][2]["output"] == "1\n"
    assert record["turns"][0]["reply"]["input_tokens"] == 10
    assert record["outside"] == [] and record["tampering"] == []
    assert [m["role"] for m in model.asked[-1]] == ["user", "assistant"] * 3 + ["user"]
    assert model.asked[-1][0]["text"] == "Draw."
    told = "[exit code 0]\na\n1\n\nTurn 1 of 14 is over; 13 are left."
    assert model.asked[1][2]["text"] == told
    assert "[written: make_figure.py, 9 bytes]" in model.asked[2][4]["text"]
    json.dumps(record, allow_nan=False)
    assert not list(tmp_path.glob("*.tar"))


def test_python_blocks_are_thrown_away(sealed: Runs, tmp_path: Path) -> None:
    model = Model("```py\nimport os; print(sorted(os.listdir('.')))\n```", DONE)
    record = play(START, model, sealed, tmp_path)
    assert record["turns"][0]["output"] == "['data', 'make_figure.py']\n"


def test_an_untouched_stub_is_reminded_of_once(sealed: Runs, tmp_path: Path) -> None:
    model = Model(DONE, DONE)
    record = play(START, model, sealed, tmp_path)
    assert REMINDER in model.last and "figure here" not in model.last
    assert (record["end"], record["submission"], record["reminded"]) == ("done", None, True)
    assert kinds(record) == ["done", "done"]
    model = Model(DONE, WRITE, DONE)
    record = play(START, model, sealed, tmp_path / "b")
    assert record["submission"] == "print(1)\n" and len(record["turns"]) == 3
    # The reminder's turn counts: on the last one there is none.
    model = Model(bash("true"), DONE)
    record = play(Start("Draw.", FILES, turns=2, limits=LIMITS), model, sealed, tmp_path / "c")
    assert (record["end"], record["reminded"], len(model.asked)) == ("done", False, 2)


def test_never_done_ends_with_the_turns(sealed: Runs, tmp_path: Path) -> None:
    model = Model(WRITE, bash("echo again"))
    record = play(START, model, sealed, tmp_path)
    assert record["end"] == "budget" and len(model.asked) == 14
    assert record["submission"] == "print(1)\n"
    assert model.last.endswith("Turn 13 of 14 is over; 1 is left.")


def test_forms_are_understood_or_explained(sealed: Runs, tmp_path: Path) -> None:
    model = Model("no block", "```console\n$ echo hi\n```", "```write ../x\ny\n```", "",
                  f"{bash('echo a')}\n{bash('echo b')}", WRITE, DONE)  # fmt: skip
    record = play(START, model, sealed, tmp_path)
    assert kinds(record) == ["malformed", "bash", "malformed", "malformed", "bash", "write", "done"]
    told = [messages[-1]["text"] for messages in model.asked[1:]]
    assert "no fenced block" in told[0] and "[exit code 0]\nhi" in told[1]
    assert "leads out" in told[2] and "held nothing" in told[3]
    assert "2 actions" in told[4] and "\na\n" in told[4] and "\nb\n" not in told[4]
    assert model.asked[4][7]["text"] == "(no text)"


def test_a_reply_that_was_cut_off_is_not_half_done(sealed: Runs, tmp_path: Path) -> None:
    model = Model("```write make_figure.py\nimport", outcome="truncated", reason="too long")
    record = play(Start("Draw.", FILES, turns=2, limits=LIMITS), model, sealed, tmp_path)
    assert record["submission"] is None and "cut off at its token limit" in model.last
    whole = Model(WRITE, DONE, outcome="truncated", reason="too long")
    assert play(START, whole, sealed, tmp_path / "b")["submission"] == "print(1)\n"


@pytest.mark.parametrize("outcome", ["rejected", "blocked"])
def test_a_final_outcome_ends_it(sealed: Runs, tmp_path: Path, outcome: str) -> None:
    model = Model("", outcome=outcome, reason="context too long")
    record = play(START, model, sealed, tmp_path)
    assert (record["end"], record["reason"], len(model.asked)) == (outcome, "context too long", 1)


def test_the_last_state_of_the_script_counts(sealed: Runs, tmp_path: Path) -> None:
    for number, (command, expected) in enumerate(
        [("rm make_figure.py", None), ("ln -sf /etc/hostname make_figure.py", None),
         ("rm make_figure.py; mkdir make_figure.py", None), ("echo > make_figure.py", None),
         ("printf '\\xff=1' > make_figure.py", "\N{REPLACEMENT CHARACTER}=1"),
         ("head -c 1500000 /dev/zero | tr '\\0' x > make_figure.py", None)]
    ):  # fmt: skip
        model = Model(bash(command), DONE, DONE)
        record = play(START, model, sealed, tmp_path / str(number))
        assert record["submission"] == expected, command


def test_too_large_a_workspace_is_what_it_was(sealed: Runs, tmp_path: Path) -> None:
    fill = bash("head -c 3M /dev/zero > large; echo")
    deep = bash("for i in $(seq 30); do mkdir $(printf 'x%.0s' $(seq 200)); cd x*; done")
    model = Model(fill, bash("ls"), bash("echo mine > mine"), fill, deep, bash("ls"), DONE, DONE)
    record = play(START, model, sealed, tmp_path)
    assert [turn.get("stopped") for turn in record["turns"]][:5] == [
        "workspace",
        "",
        "",
        "workspace",
        "workspace",
    ]
    assert record["turns"][1]["output"] == "data\nmake_figure.py\n"
    assert record["turns"][5]["output"] == "data\nmake_figure.py\nmine\n"
    assert "is what it was before" in model.asked[1][-1]["text"]


def test_the_log_names_what_was_tried(sealed: Runs, tmp_path: Path) -> None:
    model = Model(bash("cat /srv/tasks/reference_spec.json"), DONE, DONE)
    record = play(START, model, sealed, tmp_path)
    assert {(sign["kind"], sign["evidence"]) for sign in record["outside"]} == {
        ("path", "/srv/tasks/reference_spec.json"), ("store", "reference_spec"),
    }  # fmt: skip
    assert "No such file" in record["turns"][0]["output"]


def test_killed_at_turn_13_it_asks_for_turn_14_alone(sealed: Runs, tmp_path: Path) -> None:
    # What each command leaves behind cannot be had by running it again.
    replies = [bash("date +%s%N >> log; tail -n 1 log")] * 12
    first = Model(*replies, bash("date +%s%N >> log; wc -l < log"), "KILL")
    with pytest.raises(KilledError):
        play(START, first, sealed, tmp_path)
    assert len(first.asked) == 14
    second = Model(*["asked again"] * 13, bash("cat log"))
    record = play(START, second, sealed, tmp_path)
    assert len(second.asked) == 1 and second.asked[0] == first.asked[-1]
    lines = record["turns"][13]["output"].split()
    assert lines[:12] == [turn["output"].strip() for turn in record["turns"][:12]]
    assert len(lines) == 13 and record["turns"][12]["output"] == "13\n"


def test_killed_in_a_command_it_runs_that_again_and_asks_nobody(
    sealed: Runs, tmp_path: Path
) -> None:
    class Dies:
        sealed = True

        def __call__(self, command: Sequence[str], workspace: Path, limits: Limits = LIMITS) -> Any:
            result = sealed(command, workspace, limits)
            if "second" in command[-1]:
                raise KilledError
            return result

    replies = (bash("echo first > a"), bash("echo second >> a; cat a"), DONE)
    with pytest.raises(KilledError):
        play(START, Model(*replies), Dies(), tmp_path)
    model = Model(*replies)
    record = play(START, model, sealed, tmp_path)
    assert record["turns"][1]["output"] == "first\nsecond\n"  # once: from the snapshot before it
    assert [len(messages) for messages in model.asked] == [5, 7]


def test_a_torn_last_line_is_dropped(sealed: Runs, tmp_path: Path) -> None:
    model = Model(bash("echo a > a"), bash("echo b > b; ls"), "KILL")
    with pytest.raises(KilledError):
        play(START, model, sealed, tmp_path)
    path = tmp_path / "journal.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    assert [json.loads(line)["event"] for line in lines] == ["reply", "turn"] * 2
    # Cut off in the second turn's line: its reply is there and not asked for again.
    path.write_bytes(b"".join(lines)[:-20])
    model = Model("again", "again", DONE)
    record = play(START, model, sealed, tmp_path)
    assert record["turns"][1]["output"] == "a\nb\ndata\nmake_figure.py\n"
    assert [len(messages) for messages in model.asked] == [5, 7]


def test_a_broken_snapshot_goes_back_a_turn(sealed: Runs, tmp_path: Path) -> None:
    replies = [bash("echo a > a"), bash("echo b > b"), bash("ls"), "KILL"]
    with pytest.raises(KilledError):
        play(START, Model(*replies), sealed, tmp_path)
    assert sorted(path.name for path in tmp_path.glob("*.tar")) == ["02.tar", "03.tar"]
    (tmp_path / "03.tar").write_bytes(b"broken")
    model = Model("?", "?", "?", DONE)
    record = play(START, model, sealed, tmp_path)
    assert record["turns"][2]["output"] == "a\nb\ndata\nmake_figure.py\n"
    assert [len(messages) for messages in model.asked] == [7, 9]


def test_an_episode_is_played_by_one_process(tmp_path: Path, sealed: Runs) -> None:
    journal = Journal(tmp_path)
    with pytest.raises(PlotChainError, match="another process"):
        play(START, Model(DONE), sealed, tmp_path)
    journal.close()


def test_the_prompt_says_what_is_judged_and_what_is_there() -> None:
    text = prompt_text("Small\n networks {learn} faster.", FILES)
    assert "Claim: Small networks {learn} faster." in text
    assert "         4 data/a.csv" in text and "a: volts" in text and "make_figure.py" in text
    for word in ("Data:", "Encoding:", "Overlays:", "Panel layout:", "Axis scales:", "Completeness:",
                 "not read: colours, fonts", "14 turns", "120 seconds"):  # fmt: skip
        assert word in text
    assert "matplotgym" not in text and "plotchain" not in text.lower()
