"""An item that is an episode: the suite's part plays, and every turn is asked like any other call.

The suite's part is a callable, named in the call (``module:function``) because a broker is another
process than the workflow that knows both. It runs in a thread and is handed `Ask`; each turn goes
through limits, budget and cache as one call, so that no turn is paid for twice, and the whole
record is kept under the episode's own key when it is over. An episode that cannot go on now
(outage, quota, budget, no sandbox) ends as ``pending``; it has its own journal to go on from.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from plotchain_lib.item import Item, NotNowError, Outcome, PlotChainError, Request, Response
from plotchain_lib.query.cache import Cache, Entry, canonical, entry_of, now

if TYPE_CHECKING:
    from plotchain_lib.query.asker import Call

# The messages so far in, the reply's entry out; raises where the episode cannot go on now.
Ask = Callable[[Sequence[Mapping[str, str]]], Mapping[str, Any]]
# The item, a folder of the episode's own, who is asked, and the call's options with the
# ``working_folder`` its paths are relative to, to the record.
Play = Callable[[Item, Path, Ask, Mapping[str, Any]], Mapping[str, Any]]
# A turn's key, and how to have its answer (and whether that was there already).
Answered = Callable[[], Awaitable[tuple[Entry, bool]]]
Turned = tuple[str, Answered]
Turn = Callable[[Request], Turned]

_NAME = re.compile(r"plotchain_lib(?:\.\w+)+:\w+")
_AT_ONCE = 256  # threads; most of them wait for an answer


class PendingError(Exception):
    """A turn that cannot be answered now: one line that says why."""


def player_of(name: str) -> Play:
    """The callable of that name. Raises PlotChainError where it names none of the library's."""
    module, _, function = name.partition(":")
    if not _NAME.fullmatch(name):
        raise PlotChainError(f"player: {name!r} is no module:function of plotchain_lib")
    try:
        return cast(Play, getattr(import_module(module), function))
    except (ImportError, AttributeError) as error:
        raise PlotChainError(f"player: {name!r} cannot be loaded ({error})") from error


class Episodes:
    """Plays the episodes of a broker. Lives in one event loop."""

    def __init__(self, cache: Cache) -> None:
        """`cache` keeps the records, and has a folder for each journal."""
        self._cache = cache
        self._threads: ThreadPoolExecutor | None = None
        self._in_flight: dict[str, asyncio.Task[Entry]] = {}

    def close(self) -> None:
        """Let go of the threads."""
        if self._threads is not None:
            self._threads.shutdown(wait=False)

    async def entry(
        self, call: Call, item: Item, material: Mapping[str, Any], turn: Turn, working_folder: Path
    ) -> tuple[Entry, bool]:
        """An episode's record as a response, and whether it was there already.

        `material`: what a local model answers from, on every turn. Raises what the player
        raises, and PlotChainError where there is no such player.
        """
        kind, settings = call.settings["kind"], call.settings
        request = Request(kind, settings, item.prompt, (), None, call.repeat, material, item.id)
        first, _ = turn(request)
        key = episode_key(first, call.player, item)
        task = self._in_flight.get(key)
        shared = task is not None
        if task is None:
            if (entry := self._cache.get(key)) is not None:
                return entry, True
            # A task of its own, shielded: who asked may be gone before it is over.
            playing = self._play(key, call, item, request, turn, working_folder)
            task = asyncio.create_task(playing)
            self._in_flight[key] = task
            task.add_done_callback(lambda _: self._in_flight.pop(key))
        return await asyncio.shield(task), shared

    async def _play(
        self, key: str, call: Call, item: Item, request: Request, turn: Turn, working_folder: Path
    ) -> Entry:
        asked_at, play = now(), player_of(call.player)
        loop = asyncio.get_running_loop()
        ask = _Asked(loop, request, turn)
        folder = self._cache.folder / "episodes" / key[:2] / key[2:]
        if self._threads is None:
            self._threads = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="episode")
        try:
            options = {**call.options, "working_folder": str(working_folder)}
            record = await loop.run_in_executor(self._threads, play, item, folder, ask, options)
        except (PendingError, NotNowError) as error:
            return entry_of(request, Response("pending", reason=str(error)), None, asked_at)
        entry = entry_of(request, response_of(record), key, asked_at)
        await asyncio.to_thread(self._cache.put, key, entry)
        return entry


class _Asked:
    """`Ask` for a thread, answered in the event loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop, request: Request, turn: Turn) -> None:
        self._loop, self._request, self._turn = loop, request, turn

    def __call__(self, messages: Sequence[Mapping[str, str]]) -> Mapping[str, Any]:
        return asyncio.run_coroutine_threadsafe(self._answer(messages), self._loop).result()

    async def _answer(self, messages: Sequence[Mapping[str, str]]) -> Entry:
        said = tuple(dict(message) for message in messages)
        _, answered = self._turn(replace(self._request, messages=said))
        entry, _ = await answered()
        if entry["outcome"] == "pending":
            raise PendingError(entry["reason"])
        return entry


def episode_key(first: str, player: str, item: Item) -> str:
    """The SHA-256 of what makes an episode: its first question, who plays it, and with what.

    `first` is the key of its first turn, which holds model, settings, prompt and repeat; the
    item's params hold the digest of its files as ``workspace_sha256``, and what else they hold
    (titles, folders) changes nothing. Neither does the code of the player: an edit of it must not
    pay for an episode again.
    """
    identity = {"first": first, "player": player, "files": item.params.get("workspace_sha256", "")}
    return hashlib.sha256(canonical(identity)).hexdigest()


def response_of(record: Mapping[str, Any]) -> Response:
    """A played episode as one response: the record is its text, usage and cost are sums.

    An episode that a provider ended (``end`` is an outcome) and that has no submission has that
    outcome; any other is answered, also with nothing submitted.
    """
    replies = [turn["reply"] for turn in record["turns"]]
    ended = record["end"] in ("rejected", "blocked") and record["submission"] is None
    return Response(
        cast(Outcome, record["end"]) if ended else "answered",
        text=canonical(record).decode(),
        reason=record["reason"] if ended else "",
        latency_s=_sum(replies, "latency_s"),
        input_tokens=_count(replies, "input_tokens"),
        output_tokens=_count(replies, "output_tokens"),
        cost_usd=_sum(replies, "cost_usd"),
        served_model=str(replies[-1].get("served_model", "")) if replies else "",
        received={"turns": len(replies), "end": record["end"], "sealed": record["sealed"]},
    )


def _sum(replies: Sequence[Mapping[str, Any]], name: str) -> float | None:
    """The sum of what every reply has; None where one lacks it, or the sum would be too small."""
    values = [reply.get(name) for reply in replies]
    known = [value for value in values if value is not None]
    return sum(known) if known and len(known) == len(values) else None


def _count(replies: Sequence[Mapping[str, Any]], name: str) -> int | None:
    total = _sum(replies, name)
    return None if total is None else int(total)
