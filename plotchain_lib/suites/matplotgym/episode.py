"""One agent's episode: ask, do, tell, until it is done or its turns are used up.

`play` is given what it needs as callables: `ask` (messages in, a reply out, whoever answers) and a
sandbox. All that happens is in the journal before anything follows from it (see `journal`).
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from plotchain_lib.suites.matplotgym import audit
from plotchain_lib.suites.matplotgym.bubblewrap import interpreter
from plotchain_lib.suites.matplotgym.journal import Journal, Record
from plotchain_lib.suites.matplotgym.prompt import (
    REMINDER,
    SECONDS,
    SUBMISSION,
    TURNS,
    outcome_text,
    told,
)
from plotchain_lib.suites.matplotgym.protocol import Action, parse
from plotchain_lib.suites.matplotgym.sandbox import Runs
from plotchain_lib.suites.matplotgym.watch import Limits
from plotchain_lib.suites.matplotgym.workspace import empty, read_file, write_file

PROTOCOL = 1
# What a reply's mapping holds of use here; all of it goes into the transcript.
_KEPT = ("text", "outcome", "reason", "input_tokens", "output_tokens", "cost_usd", "latency_s",
         "served_model", "cache_key", "asked_at")  # fmt: skip
# After these, asking on has no use: the same messages would come back.
_FINAL = ("rejected", "blocked")
_LARGEST_SUBMISSION = 1_000_000
_INTERNAL = ("event", "snapshot", "sha256")
_CUT_OFF = "Your reply was cut off at its token limit, so that its block was not done."

Message = dict[str, str]
Ask = Callable[[Sequence[Message]], Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Start:
    """What an episode begins with.

    Attributes:
        prompt: the first message.
        files: the workspace, by path.
        turns: how many there are.
        limits: of each command.
    """

    prompt: str
    files: Mapping[str, bytes]
    turns: int = TURNS
    limits: Limits = field(default_factory=lambda: Limits(seconds=float(SECONDS)))


@dataclass(slots=True)
class _Game:
    """An episode under way."""

    start: Start
    runs: Runs
    journal: Journal
    workspace: Path

    def messages(self) -> list[Message]:
        """What the next reply answers. An empty reply is said to be one: no API takes none."""
        messages = [{"role": "user", "text": self.start.prompt}]
        for turn in self.journal.turns:
            said = self.journal.replies[turn["turn"]]["text"]
            messages.append({"role": "assistant", "text": said.rstrip() or "(no text)"})
            messages.append({"role": "user", "text": turn["told"]})
        return messages

    def fill(self) -> None:
        """The workspace as it is given."""
        empty(self.workspace)
        for path, content in self.start.files.items():
            write_file(self.workspace, path, content)

    def submission(self) -> str | None:
        """The script that is scored; None where the stub is untouched or there is none."""
        content = read_file(self.workspace, SUBMISSION, _LARGEST_SUBMISSION)
        if content is None or content == self.start.files.get(SUBMISSION):
            return None
        text = content.decode("utf-8", "replace")
        return text if text.strip() else None


def play(start: Start, ask: Ask, runs: Runs, folder: Path) -> Record:
    """Play an episode to its end and return its record, ready for JSON.

    `folder` keeps the journal; an episode that was killed goes on from it. Whatever `ask` raises
    is passed on, and the episode can be gone on with later. The record's keys: ``protocol``,
    ``sealed``, ``end`` (``done``, ``budget``, or the outcome that ended it), ``reason``,
    ``submission`` (the script, or null), ``reminded``, ``turns``, ``outside`` (attempts to reach
    beyond the workspace, see `audit`). Raises PlotChainError where another process plays it.
    """
    journal = Journal(folder)
    try:
        # In the system's folder for such: a cache may lie where an unprivileged user cannot go.
        with tempfile.TemporaryDirectory(prefix="work-", ignore_cleanup_errors=True) as workspace:
            game = _Game(start, runs, journal, Path(workspace))
            game.fill()
            journal.rebuild(game.workspace)
            while not (end := _end(journal, start.turns)):
                _turn(game, ask)
            record = _record(game, *end)
            empty(game.workspace)
        journal.forget_snapshots()
        return record
    finally:
        journal.close()


def _end(journal: Journal, turns: int) -> tuple[str, str] | None:
    """How an episode has ended, and why; None while it goes on."""
    if not journal.turns:
        return None
    last = journal.turns[-1]
    reply = journal.replies[last["turn"]]
    if reply["outcome"] in _FINAL:
        return reply["outcome"], reply["reason"]
    if last["ends"]:
        return "done", ""
    return ("budget", "") if len(journal.turns) >= turns else None


def _turn(game: _Game, ask: Ask) -> None:
    """One turn: a reply, from the journal where it was paid for already, and what comes of it."""
    number = len(game.journal.turns) + 1
    reply = game.journal.replies.get(number)
    if reply is None:
        answer = ask(game.messages())
        reply = {name: answer[name] for name in _KEPT if name in answer}
        game.journal.reply(number, reply)
    action = _understood(reply)
    record = {"turn": number, "kind": action.kind, "path": action.path, "ends": False,
              "note": action.note, **_done(game, action, number)}  # fmt: skip
    record["told"] = told(record.pop("say"), number, game.start.turns, action.note)
    try:
        game.journal.turn(record, game.workspace)
    except (OSError, RecursionError):
        # A tree so deep or so odd that it cannot be kept is none to go on from.
        _back(game)
        game.journal.turn({**record, "stopped": "workspace"}, game.workspace)


def _understood(reply: Mapping[str, Any]) -> Action:
    action = parse(reply["text"])
    if reply["outcome"] == "truncated" and not action.closed:
        return Action("malformed", note=_CUT_OFF)
    return action


def _done(game: _Game, action: Action, number: int) -> Record:
    """Do an action: what is recorded of it, and under ``say`` what the model is told."""
    if action.kind == "malformed":
        return {"say": ""}
    if action.kind == "done":
        reminded = any(turn.get("reminder") for turn in game.journal.turns)
        is_last = number >= game.start.turns
        if game.submission() is None and not reminded and not is_last:
            return {"say": REMINDER, "reminder": True}
        return {"say": "", "ends": True}
    if action.kind == "write":
        return _written(game, action)
    program = ["/bin/bash", "-c"] if action.kind == "bash" else [_python(), "-c"]
    result = game.runs([*program, action.text], game.workspace, game.start.limits)
    if result.stopped == "workspace":
        _back(game)
    return {
        "say": outcome_text(result, game.start.limits.seconds),
        "output": result.output,
        "code": result.code,
        "stopped": result.stopped,
        "seconds": round(result.seconds, 3),
        "sealed": result.sealed,
    }


def _written(game: _Game, action: Action) -> Record:
    content = action.text.encode("utf-8", "replace")
    try:
        write_file(game.workspace, action.path, content)
    except OSError as error:
        return {"say": f"[nothing was written: {action.path}: {error.strerror}]"}
    return {"say": f"[written: {action.path}, {len(content)} bytes]"}


def _back(game: _Game) -> None:
    """The workspace as it was before this turn."""
    if not game.journal.undo(game.workspace):
        game.fill()


def _python() -> str:
    return str(Path(sys.executable).absolute())  # not resolved: a link is what makes a venv one


def _record(game: _Game, end: str, reason: str) -> Record:
    turns = []
    for turn in game.journal.turns:
        seen = {name: value for name, value in turn.items() if name not in _INTERNAL}
        turns.append({**seen, "reply": game.journal.replies[turn["turn"]]})
    submission = game.submission()
    places = [str(path) for path in (*interpreter(), game.workspace.resolve())]
    return {
        "protocol": PROTOCOL,
        "sealed": game.runs.sealed and all(turn.get("sealed", True) for turn in turns),
        "end": end,
        "reason": reason,
        "submission": submission,
        "tampering": audit.tampering(submission or ""),
        "reminded": any(turn.get("reminder") for turn in turns),
        "turns": turns,
        "outside": [attempt.record() for attempt in audit.outside(turns, places)],
    }
