"""What was answered and is never asked again: one file a response, named by its request.

    <cache>/ab/cdef….json     a response, under the SHA-256 of the canonical request
    <cache>/journal.jsonl     one line when an ask starts, one a try over HTTP, one when it ended
    <cache>/logs/<model>.log  one line a call to a provider (see `remote`)
    <cache>/runs/….json       limits of the models of one working folder (see `limits_path`)

Files appear whole (temporary name, fsync, rename); a file that is not whole all the same (a full
disk, a crash of the machine) counts as absent, is asked again and replaced.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, TypedDict, cast

from plotchain_lib.files import write_atomically
from plotchain_lib.item import Outcome, Request, Response
from plotchain_lib.wire import HttpCall

Event = Literal["asked", "sent", "stored", "pending", "failed"]

_JOURNAL_TAIL = 4_000_000  # bytes: more than a minute of it


class Entry(TypedDict):
    """One response with what was sent for it: what is kept, and what a job's output repeats.

    `asked_at` is the time of the real call; `cache_key` is None where nothing could be asked. The
    others are those of `plotchain_lib.item.Response`.
    """

    asked_at: str
    cache_key: str | None
    cost_usd: float | None
    input_tokens: int | None
    latency_s: float | None
    outcome: Outcome
    output_tokens: int | None
    reason: str
    received: dict[str, Any]
    sent: dict[str, Any]
    served_model: str
    text: str


def canonical(value: Any) -> bytes:
    """The one way to write a value: sorted keys, no spaces, no NaN.

    Text stays readable, unless it holds half a surrogate pair, which models do send and UTF-8
    cannot carry; then everything beyond ASCII is escaped.
    """
    options: dict[str, Any] = {"sort_keys": True, "allow_nan": False, "separators": (",", ":")}
    try:
        return json.dumps(value, ensure_ascii=False, **options).encode()
    except UnicodeEncodeError:
        return json.dumps(value, **options).encode()


def now() -> str:
    """The time of a call, ISO 8601 in UTC."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def picture_digest(request: Request) -> str | None:
    """The SHA-256 of the picture's bytes; None where the model is shown none."""
    return None if request.picture is None else hashlib.sha256(request.picture).hexdigest()


def sent_of(request: Request) -> dict[str, Any]:
    """What a model was sent, with the picture's hash for the picture."""
    sent = {
        "settings": dict(request.settings),
        "prompt": request.prompt,
        "fields": list(request.fields),
        "picture_sha256": picture_digest(request),
    }
    if request.messages:
        # Their hash: an episode's transcript holds them all, and every turn would hold the others.
        said = [dict(message) for message in request.messages]
        sent["messages_sha256"] = hashlib.sha256(canonical(said)).hexdigest()
    return sent


def cache_key(request: Request, code: str) -> str:
    """The SHA-256 of everything that may change the answer.

    `code` is the fingerprint of a local model's code, empty for a provider. The item's id and the
    model's label are left out: the same question under another name is the same question.
    """
    identity = sent_of(request) | {
        "kind": request.kind,
        "repeat": request.repeat,
        "material": dict(request.material),
        "code": code,
    }
    return hashlib.sha256(canonical(identity)).hexdigest()


def call_key(request: Request, call: HttpCall) -> str:
    """The SHA-256 of what is really sent to a provider, and of the repeat.

    How long to wait, at what rate, with which key: none of that changes an answer.
    """
    identity = {
        "kind": request.kind,
        "url": call.url,
        "body": _with_digest(call.body, request),
        "repeat": request.repeat,
    }
    return hashlib.sha256(canonical(identity)).hexdigest()


def _with_digest(body: Mapping[str, Any], request: Request) -> Any:
    """A body with the picture's SHA-256 where its base64 was."""
    if request.picture is None:
        return dict(body)
    picture = base64.b64encode(request.picture).decode()
    digest = f"sha256:{picture_digest(request)}"

    def replaced(value: Any) -> Any:
        if isinstance(value, str):
            return value.replace(picture, digest) if len(value) >= len(picture) else value
        if isinstance(value, Mapping):
            return {name: replaced(entry) for name, entry in value.items()}
        return [replaced(entry) for entry in value] if isinstance(value, list | tuple) else value

    return replaced(body)


def entry_of(request: Request, response: Response, key: str | None, asked_at: str) -> Entry:
    """A response with what was sent for it."""
    return {
        "asked_at": asked_at,
        "cache_key": key,
        "cost_usd": response.cost_usd,
        "input_tokens": response.input_tokens,
        "latency_s": response.latency_s,
        "outcome": response.outcome,
        "output_tokens": response.output_tokens,
        "reason": response.reason,
        "received": dict(response.received),
        "sent": sent_of(request) | dict(response.sent),
        "served_model": response.served_model,
        "text": response.text,
    }


class Cache:
    """One cache folder."""

    def __init__(self, folder: Path, say: Callable[[str], None]) -> None:
        """Open it, making it where it is missing. `say` takes a line for the log."""
        self.folder = folder
        self._say = say
        folder.mkdir(parents=True, exist_ok=True)
        self._journal = os.open(
            folder / "journal.jsonl", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644
        )

    def path(self, key: str) -> Path:
        """Where the response to a request is kept."""
        return self.folder / key[:2] / f"{key[2:]}.json"

    def get(self, key: str) -> Entry | None:
        """A stored response, or None where there is none that can be read."""
        path = self.path(key)
        try:
            entry = json.loads(path.read_bytes())
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            self._say(f"{path}: unreadable response ({error}); asking again")
            return None
        known = isinstance(entry, dict) and entry.keys() == Entry.__annotations__.keys()
        if known and entry["cache_key"] == key:
            return cast(Entry, entry)
        self._say(f"{path}: not the response it is named after; asking again")
        return None

    def put(self, key: str, entry: Entry) -> None:
        """Keep a response; it is on the disk when this returns."""
        write_atomically(self.path(key), canonical(entry) + b"\n")

    def note(self, event: Event, key: str, about: Mapping[str, Any]) -> None:
        """Append to the journal, in one write, so that lines of two processes never mix."""
        os.write(
            self._journal, canonical({"at": now(), "event": event, "key": key, **about}) + b"\n"
        )

    def recent(self, event: Event, seconds: float) -> list[tuple[float, dict[str, Any]]]:
        """The journal's notes of one event of the last `seconds`, each with its age in seconds."""
        path = self.folder / "journal.jsonl"
        with path.open("rb") as stream:
            stream.seek(max(0, path.stat().st_size - _JOURNAL_TAIL))
            lines = stream.read().split(b"\n")
        present, found = datetime.now(UTC), []
        for line in lines:
            with suppress(ValueError, KeyError, TypeError):  # the first may be cut
                note = json.loads(line)
                age_s = (present - datetime.fromisoformat(note["at"])).total_seconds()
                if note["event"] == event and age_s < seconds:
                    found.append((max(0.0, age_s), note))
        return found

    def close(self) -> None:
        """Close the journal."""
        os.close(self._journal)
