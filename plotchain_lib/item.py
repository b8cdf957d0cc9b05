"""The words every stage shares.

An *item* is one question about one picture. A *field* is one requested value. A *request* is what
a model is given, a *response* what came back, an *answer* one field's value read from it, and a
*verdict* what that value is worth. Stages hand these to each other in files; the shapes are here.
"""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Literal, cast, get_args

Scope = Literal["final", "checkpoint"]
Outcome = Literal["answered", "refused", "blocked", "truncated", "empty", "rejected", "pending"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)

ANSWER_COLUMNS = (
    "dataset", "model", "item", "repeat", "field", "value", "text", "form", "outcome",
    "latency_s", "input_tokens", "output_tokens", "cost_usd",
)  # fmt: skip
SCORE_COLUMNS = (
    "dataset", "policy", "model", "item", "repeat", "shard", "group", "difficulty", "scope",
    "field", "value", "truth", "derived", "abs_err", "rel_err", "abs_tol", "rel_tol", "score",
    "passed", "outcome",
)  # fmt: skip


class PlotChainError(Exception):
    """A fault of the input, said in one line: what, where, and how to mend it."""


class NotNowError(PlotChainError):
    """What cannot be done here or now, and may be later: whoever asked it is left pending."""


@dataclass(frozen=True, slots=True)
class Field:
    """One requested value.

    Attributes:
        name: the JSON key; checkpoint fields of plotchain start with ``cp_``.
        unit: the unit the value is asked in; empty for a ratio or a count.
        definition: what the value is, as the prompt says it.
        scope: ``final`` (what the reader is after) or ``checkpoint`` (a step on the way).
        decimals: digits after the point the truth is rounded to; None where it is not.
    """

    name: str
    unit: str
    definition: str
    scope: Scope
    decimals: int | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """One question about one picture, with its truth. The prompt is data, frozen with the item.

    Attributes:
        id: unique in its dataset, for example ``bandpass_response_007``.
        suite: ``plotchain``, ``grab`` or ``matplotgym``.
        shard: the unit of generate and render (plotchain: the family).
        group: what results are broken down by (plotchain: the family).
        prompt: the whole text a model is sent.
        picture: the PNG's path. A generated item's is relative to its dataset's folder, a
            release's is relative to the working folder; None where an item has none.
        fields: the requested values, in the order the prompt asks for them.
        truth: field name to true value, already rounded to the field's decimals.
        params: what the picture is drawn from.
        seed: the dataset's master seed; None for a release.
        difficulty: ``clean``, ``moderate`` or ``edge``; other suites have their own.
    """

    id: str
    suite: str
    shard: str
    group: str
    prompt: str
    picture: str | None
    fields: tuple[Field, ...]
    truth: Mapping[str, float | str]
    params: Mapping[str, Any]
    seed: int | None
    difficulty: str

    def to_json(self) -> str:
        """The item as one line of canonical JSON (sorted keys, no NaN)."""
        return json.dumps(asdict(self), sort_keys=True, allow_nan=False, ensure_ascii=False)

    @staticmethod
    def from_json(line: str) -> Item:
        """Read what `to_json` wrote. Raises ValueError, KeyError or TypeError on anything else."""
        record = json.loads(line)
        record["fields"] = tuple(Field(**entry) for entry in record["fields"])
        return Item(**record)


@dataclass(frozen=True, slots=True)
class Request:
    """What one model is asked about one item. Everything in it enters the cache key but `item`.

    Attributes:
        kind: the model's kind, the name of a module in `plotchain_lib.models`.
        settings: the model's settings that enter a request (model name, decoding, ...).
        prompt: the item's prompt.
        fields: the requested field names, in order.
        picture: the PNG's exact bytes; None for a model that does not look.
        repeat: counts from 1; makes repeated calls distinct.
        material: what a local model answers from (blind: its constants, recorded: its record).
        item: the item's id, for messages only.
        messages: an episode's turns so far, the prompt first: ``{"role", "text"}`` with the roles
            ``user`` and ``assistant`` by turns, the last a user's. Empty where there is one turn.
    """

    kind: str
    settings: Mapping[str, Any]
    prompt: str
    fields: tuple[str, ...]
    picture: bytes | None
    repeat: int
    material: Mapping[str, Any] = field(default_factory=dict)
    item: str = ""
    messages: tuple[Mapping[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Response:
    """How a call ended and what it brought.

    Attributes:
        outcome: how the call ended; ``pending`` is never cached.
        text: the model's text, exactly; empty where there is none.
        reason: one line for any outcome but ``answered``.
        latency_s: seconds of the call itself; None where it means nothing (blind).
        input_tokens, output_tokens: as the provider counted; None where it did not.
        cost_usd: US dollars; None where no price applies.
        served_model: the model's name as the provider reported it.
        sent: what was sent besides prompt and picture, without secrets.
        received: what else came back and is worth keeping.
    """

    outcome: Outcome
    text: str = ""
    reason: str = ""
    latency_s: float | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
    served_model: str = ""
    sent: Mapping[str, Any] = field(default_factory=dict)
    received: Mapping[str, Any] = field(default_factory=dict)


def _lines(text: str) -> list[str]:
    """Lines of JSON Lines. Not `splitlines`: it also cuts at U+2028 and the like inside texts."""
    return text.removesuffix("\n").split("\n") if text else []


def read_items(path: Path) -> list[Item]:
    """All items of one shard file. Raises PlotChainError naming file and line."""
    items = []
    for number, line in enumerate(_lines(path.read_text(encoding="utf-8")), start=1):
        try:
            items.append(Item.from_json(line))
        except (ValueError, KeyError, TypeError) as error:
            raise PlotChainError(
                f"{path}:{number}: not an item ({error}); delete the file and run again"
            ) from error
    return items


def read_json_lines(path: Path) -> list[dict[str, Any]]:
    """Every object of a JSON Lines file. Raises PlotChainError naming file, line and remedy."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise PlotChainError(
            f"{path}: cannot be read ({error.strerror}); check the path"
        ) from error
    except UnicodeDecodeError as error:
        raise PlotChainError(f"{path}: not UTF-8 text; is it the right file?") from error
    records = []
    for number, line in enumerate(_lines(text), start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except ValueError as error:
            raise PlotChainError(
                f"{path}:{number}: not valid JSON ({error}); the line may be cut off, mend it or "
                "take the file from its source again"
            ) from error
        if not isinstance(record, dict):
            raise PlotChainError(f"{path}:{number}: expected a JSON object; mend the line")
        records.append(cast(dict[str, Any], record))
    return records


@contextmanager
def atomic_stream(path: Path) -> Iterator[BinaryIO]:
    """To write under a temporary name in the same folder, fsync, rename: whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    prefix = f".{path.name}.{os.getpid()}."
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=prefix)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            yield stream
            stream.flush()
            os.fchmod(stream.fileno(), 0o644)
            os.fsync(stream.fileno())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def write_atomically(path: Path, content: bytes | str) -> None:
    """Write a file's whole content as `atomic_stream` does."""
    with atomic_stream(path) as stream:
        stream.write(content.encode("utf-8") if isinstance(content, str) else content)


def write_json(path: Path, value: Any) -> None:
    """Canonical, readable JSON: sorted keys, two spaces, no NaN, a newline at the end."""
    text = json.dumps(value, indent=2, sort_keys=True, allow_nan=False, ensure_ascii=False)
    write_atomically(path, text + "\n")


def write_items(path: Path, items: Iterable[Item]) -> None:
    """One item a line."""
    write_atomically(path, "".join(item.to_json() + "\n" for item in items))


@dataclass(frozen=True, slots=True)
class Relation:
    """How one field follows from other fields of the same answer.

    Attributes:
        family: the group it holds in.
        field: the field that follows.
        inputs: the fields it follows from, in the order `compute` takes them.
        formula: the relation as a person writes it.
        compute: works on floats and arrays alike; NaN in, NaN out.
        given: parameters of the item that the picture or the prompt prints; `compute` takes them
            after the inputs.
    """

    family: str
    field: str
    inputs: tuple[str, ...]
    formula: str
    compute: Callable[..., Any]
    given: tuple[str, ...] = ()


@contextmanager
def one_line_errors(log: str = "") -> Iterator[None]:
    """End the process on a PlotChainError with its one line on stderr, and in `log` if given."""
    try:
        yield
    except PlotChainError as error:
        if log:
            write_atomically(Path(log), f"{error}\n")
        sys.exit(f"plotchain: {error}")


_TEMPORARY = re.compile(r"\..+\.(\d+)(?:\.[a-z0-9_]{8})?")


def left_behind(results: Path) -> list[Path]:
    """Temporary files below `results` whose writer was killed: their names hold its process id."""
    found = []
    for folder, _, names in os.walk(results):
        for name in names:
            match = _TEMPORARY.fullmatch(name)
            if match and not _is_alive(int(match.group(1))):
                found.append(Path(folder, name))
    return found


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def pending_responses(results: Path) -> list[Path]:
    """The response files below `results` that say `pending`, the unreadable left alone."""
    found = []
    for path in results.glob("*/responses/*/*.json"):
        data = path.read_bytes()
        if b'"pending"' in data:
            with suppress(ValueError, AttributeError):
                if json.loads(data).get("outcome") == "pending":
                    found.append(path)
    return found
