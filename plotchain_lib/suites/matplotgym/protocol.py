"""One reply of an agent to one action: pure, and lenient about form.

An action is a fenced block whose label says what it is: ``bash``, ``python``, ``write PATH`` or
``done``. A strict parser measures formatting rather than judgement, so that the usual slips are
understood: other names of the same languages, capitals, a label on the first line of the block,
tildes for backticks, a block that was never closed, ``done`` without a line of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Literal

Kind = Literal["bash", "python", "write", "done", "malformed"]

_BASH = {"bash", "sh", "shell", "zsh", "console", "terminal", "shell-session", "bash-session",
         "shellsession", "shellscript", "cmd"}  # fmt: skip
_PYTHON = {"python", "py", "python3", "ipython", "ipython3", "python-repl"}
_PROMPTED = {"console", "terminal", "shell-session", "bash-session", "shellsession"}
_ROOT = "/workspace/"
_LONGEST_COMMAND, _LONGEST_FILE, _LONGEST_PATH = 100_000, 1_000_000, 200
_OPENING = re.compile(r"^ {0,3}(?P<fence>`{3,}|~{3,})[ \t]*(?P<info>[^\n]*?)[ \t]*$")
_ONE_LINE = re.compile(r"^ {0,3}(`{3,})[ \t]*done[ \t]*\1[ \t]*$", re.IGNORECASE)
FORMS = "```bash, ```python, ```write PATH or ```done"


@dataclass(frozen=True, slots=True)
class Action:
    """What a reply asks for.

    Attributes:
        kind: ``malformed`` where it asks for nothing that can be done; `note` says why.
        text: the command, the script or the file's content.
        path: of ``write``: relative to the workspace, without ``..``.
        note: what the model is told about the form; empty where there is nothing to say.
        closed: whether the block was closed.
    """

    kind: Kind
    text: str = ""
    path: str = ""
    note: str = ""
    closed: bool = True


@dataclass(frozen=True, slots=True)
class _Block:
    label: str
    argument: str
    body: str
    closed: bool


def parse(reply: str) -> Action:
    """The one action of a reply: the first of its blocks that is one."""
    found = [action for block in _blocks(reply) if (action := _action(block))]
    if not found:
        return Action("malformed", note=_why_none(reply))
    first = found[0]
    if len(found) == 1:
        return first
    count = len(found)
    note = f"Your reply held {count} actions; one a turn is done, and only the first counted."
    return Action(first.kind, first.text, first.path, _joined(first.note, note), first.closed)


def _why_none(reply: str) -> str:
    what = "no fenced block" if "```" not in reply and "~~~" not in reply else "no action"
    if not reply.strip():
        what = "nothing"
    return f"Your reply held {what}. Give one action in a fenced block: {FORMS}."


def _blocks(reply: str) -> Iterator[_Block]:
    """The fenced blocks; a fence is closed by one at least as long, on a line of its own."""
    lines = reply.replace("\r\n", "\n").split("\n")
    number = 0
    while number < len(lines):
        line = lines[number]
        number += 1
        if _ONE_LINE.match(line):
            yield _Block("done", "", "", True)
            continue
        opening = _OPENING.match(line)
        if not opening or (opening["fence"][0] == "`" and "`" in opening["info"]):
            continue
        fence = opening["fence"]
        end = re.compile(rf"^ {{0,3}}{re.escape(fence[0])}{{{len(fence)},}}[ \t]*$")
        body = []
        while number < len(lines) and not end.match(lines[number]):
            body.append(lines[number])
            number += 1
        closed = number < len(lines)
        number += 1
        yield _labelled(opening["info"], body, closed)


def _labelled(info: str, body: list[str], closed: bool) -> _Block:
    """A block with its label, which may stand on the block's first line."""
    if not info and body and _is_label(body[0]):
        info, body = body[0].strip(), body[1:]
    words = info.strip("{}[]. ").split(None, 1)
    label = words[0].rstrip(":").lower() if words else ""
    argument = words[1].strip() if len(words) > 1 else ""
    # "write:PATH", and a language before the word: "python write make_figure.py".
    if label.startswith("write:"):
        label, argument = "write", words[0][len("write:") :]
    if second := re.match(r"(?i)write[ \t:]+(?P<path>\S.*)$", argument):
        label, argument = "write", second["path"]
    return _Block(label, argument, "".join(f"{line}\n" for line in body), closed)


def _is_label(line: str) -> bool:
    word = line.strip().lower()
    return word in _BASH | _PYTHON | {"done"} or bool(re.fullmatch(r"write:? +\S+", word))


def _action(block: _Block) -> Action | None:
    """The action a block stands for; None where its label says that it is none."""
    note = "" if block.closed else "The block was not closed; it was taken to the reply's end."
    if block.label == "done":
        return Action("done", closed=block.closed)
    if block.label == "write":
        return _write(block, note)
    kind: Kind
    if block.label in _BASH:
        kind = "bash"
    elif block.label in _PYTHON:
        kind = "python"
    else:
        return None
    text = _without_prompts(block.body) if block.label in _PROMPTED else block.body
    if not text.strip():
        return Action("malformed", note=f"The {kind} block is empty.")
    if "\0" in text:
        return Action("malformed", note=f"The {kind} block holds a NUL character.")
    if len(text.encode("utf-8", "replace")) > _LONGEST_COMMAND:
        return Action(
            "malformed",
            note=f"The {kind} block is longer than {_LONGEST_COMMAND} bytes; write a file instead.",
        )
    return Action(kind, text, note=note, closed=block.closed)


def _write(block: _Block, note: str) -> Action:
    path, problem = checked_path(block.argument)
    if problem:
        return Action("malformed", note=f"Nothing was written: {problem}.")
    if len(block.body.encode("utf-8", "replace")) > _LONGEST_FILE:
        return Action("malformed", note=f"Nothing was written: more than {_LONGEST_FILE} bytes.")
    return Action("write", block.body, path, note, block.closed)


def checked_path(text: str) -> tuple[str, str]:
    """A path inside the workspace, and what is wrong with it where it is none."""
    text = text.strip().strip("\"'`").removeprefix(_ROOT)
    path = PurePosixPath(text)
    if not text or str(path) == ".":
        return "", "the label names no path; open the block with ```write PATH"
    if text.startswith(("/", "~")) or "\\" in text or ".." in path.parts:
        return "", "the path leads out of the working directory"
    if len(text) > _LONGEST_PATH or not text.isprintable() or text.endswith("/"):
        return "", "the path is no file's name"
    return str(path), ""


def _without_prompts(body: str) -> str:
    """The commands of a pasted session: where lines begin with ``$``, the others are output."""
    lines = [match[1] for line in body.split("\n") if (match := re.match(r"\s*\$ (.*)$", line))]
    return "".join(f"{line}\n" for line in lines) or body


def _joined(*notes: str) -> str:
    return " ".join(note for note in notes if note)
