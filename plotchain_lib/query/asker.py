"""From a call to the bytes of its response file: read, look up, ask, keep.

A call whose input is at fault raises PlotChainError and fails its job. A call that cannot be
answered now (no picture yet, nothing recorded) ends as ``pending``, which is never kept.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from plotchain_lib import models
from plotchain_lib.files import read_items
from plotchain_lib.item import Item, PlotChainError, Request, Response
from plotchain_lib.query import digest_of, sources_fingerprint
from plotchain_lib.query.cache import (
    Cache,
    Entry,
    cache_key,
    call_key,
    canonical,
    entry_of,
    now,
)
from plotchain_lib.query.episode import Episodes, Turned
from plotchain_lib.query.limits import LimitsFiles
from plotchain_lib.query.picture import read_picture
from plotchain_lib.query.pool import Pool
from plotchain_lib.query.progress import Tally
from plotchain_lib.wire import HttpCall, Provider

if TYPE_CHECKING:
    from plotchain_lib.query.remote import Remote

_MOST_SHARDS = 64


@dataclass(frozen=True, slots=True)
class Call:
    """One job's question, as `plotchain_lib.query.call_text` wrote it.

    Attributes:
        dataset, model, item, repeat: which response this is.
        items: the shard's item file.
        settings: the model's settings that enter a request, with its ``kind``.
        picture: the item's PNG, or empty.
        source: what a local model answers from, or empty.
        tries: how often the call was found pending; makes the job differ, not the request.
        code: the fingerprint of a local model's code; makes the job differ, as `cache_key` does.
        player: who plays an item that is an episode (see `plotchain_lib.query.episode`), or empty.
        options: the player's; no part of what is asked.
    """

    dataset: str
    model: str
    item: str
    repeat: int
    items: str
    settings: Mapping[str, Any]
    picture: str = ""
    source: str = ""
    tries: int = 0
    code: str = ""
    player: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)

    @staticmethod
    def parse(text: str | bytes) -> Call:
        """Read a call. Raises PlotChainError on anything else."""
        try:
            call = Call(**json.loads(text))
            known = {"repeat": int, "tries": int, "settings": dict, "options": dict}
            for entry in fields(call):
                if not isinstance(getattr(call, entry.name), known.get(entry.name, str)):
                    raise TypeError(f"'{entry.name}' is of the wrong type")
            call.settings["kind"]
        except (ValueError, TypeError, KeyError) as error:
            raise PlotChainError(f"not a call ({error}); see plotchain_lib.query") from error
        return call

    @property
    def name(self) -> str:
        """The call in messages."""
        return f"{self.dataset}/{self.model}/{self.item}.{self.repeat}"


@dataclass(frozen=True, slots=True)
class _Kind:
    """A loaded model: a local one with the fingerprint of its code, or a provider."""

    local: models.LocalModel | None
    provider: Provider | None
    code: str

    @property
    def module(self) -> models.LocalModel | Provider:
        """What both have: `check` and `sees_picture`."""
        module = self.local or self.provider
        assert module is not None
        return module


@dataclass(frozen=True, slots=True)
class _Question:
    """A request on its way: who is asked, where the answer will be kept, and who asks."""

    kind: _Kind
    request: Request
    key: str
    call: Call
    folder: Path
    http: HttpCall | None


class Asker:
    """Answers calls, each question once. Holds the cache, the pool and the calls in flight."""

    def __init__(self, cache: Cache, say: Callable[[str], None], sources: str = "") -> None:
        """`sources`: the fingerprint of the library this process runs; empty: do not compare."""
        self.cache = cache
        self.model_cpu_s = 0.0
        self._say = say
        self._sources = sources
        self._pool = Pool()
        self._kinds: dict[str, _Kind] = {}
        self._shards: dict[tuple[Path, int, int], dict[str, Item]] = {}
        self._in_flight: dict[str, asyncio.Task[Entry]] = {}
        self._limits = LimitsFiles(cache.folder)
        self._remote: Remote | None = None
        self._episodes = Episodes(cache)
        self.tallies: defaultdict[str, Tally] = defaultdict(Tally)

    async def answer(self, folder: Path, call: Call) -> bytes:
        """The response file of a call whose paths are relative to `folder`.

        Raises PlotChainError, or LeavingError after `leave`.
        """
        tally = self.tallies[call.model]
        with tally.open():
            entry, kept = await self._entry(folder, call)
        tally.count(entry, kept)
        response = {
            **entry,
            "dataset": call.dataset,
            "model": call.model,
            "item": call.item,
            "repeat": call.repeat,
        }
        return canonical(response) + b"\n"

    def leave(self) -> None:
        """Finish what was sent and give up, with LeavingError, what was not."""
        if self._remote is not None:
            self._remote.leave()

    async def close(self) -> None:
        """Let go of connections, processes and files."""
        if self._remote is not None:
            await self._remote.close()
        self._pool.close()
        self._episodes.close()
        self.cache.close()

    async def _entry(self, folder: Path, call: Call) -> tuple[Entry, bool]:
        """The answer of a call, and whether it was there already."""
        kind = self._kind(call.settings["kind"])
        kind.module.check(call.settings)
        item = self._item(folder / call.items, call.item)
        request = partial(
            Request,
            kind=call.settings["kind"],
            settings=call.settings,
            prompt=item.prompt,
            fields=tuple(entry.name for entry in item.fields),
            repeat=call.repeat,
            item=call.item,
        )
        material: Mapping[str, Any] | None = {}
        if call.source and kind.local:
            material = kind.local.material(folder / call.source, item)
        if call.player and material is not None:
            turn = partial(self._turn, kind, call, folder)
            return await self._episodes.entry(call, item, material, turn, folder)
        picture, problem = None, ""
        # One of a kind that looks may be asked blind.
        shows = kind.module.sees_picture and call.settings.get("see_image") is not False
        if shows and call.picture:
            picture, problem = read_picture(folder, call.picture)
        if material is None:
            problem = f"{Path(call.source).name}: no record of this item"
        if problem:
            unasked = request(picture=None)
            return entry_of(unasked, Response("pending", reason=problem), None, now()), False
        final = request(picture=picture, material=material or {})
        http = kind.provider.call(final) if kind.provider else None
        key = cache_key(final, kind.code) if http is None else call_key(final, http)
        return await self._answered_once(_Question(kind, final, key, call, folder, http))

    def _turn(self, kind: _Kind, call: Call, folder: Path, request: Request) -> Turned:
        """What one turn of an episode would be asked as: its key, and how to have its answer."""
        http = kind.provider.call(request) if kind.provider else None
        key = cache_key(request, kind.code) if http is None else call_key(request, http)
        return key, partial(self._answered_once, _Question(kind, request, key, call, folder, http))

    async def _answered_once(self, question: _Question) -> tuple[Entry, bool]:
        """From the cache, from the call already in flight, or from the model."""
        key = question.key
        task = self._in_flight.get(key)
        shared = task is not None
        if task is None:
            if (entry := self.cache.get(key)) is not None:
                return entry, True
            # A task of its own, shielded: who asked may be gone before the answer is here.
            task = asyncio.create_task(self._ask(question))
            self._in_flight[key] = task
            task.add_done_callback(lambda _: self._in_flight.pop(key))
        return await asyncio.shield(task), shared

    async def _ask(self, question: _Question) -> Entry:
        asked_at, key, request = now(), question.key, question.request
        about = {"item": request.item, "kind": request.kind, "repeat": request.repeat}
        self.cache.note("asked", key, about)
        try:
            response = await self._respond(question)
            entry = entry_of(request, response, key, asked_at)
            if response.outcome == "pending":
                self.cache.note("pending", key, about)
                return entry
            # In a thread: a slow disk must not hold up the other calls.
            await asyncio.to_thread(self.cache.put, key, entry)
        except BaseException:
            self.cache.note("failed", key, about)
            raise
        self.cache.note("stored", key, about)
        return entry

    async def _respond(self, question: _Question) -> Response:
        local = question.kind.local
        if local is None:
            return await self._asked_remotely(question)
        if local.runs_in_pool:
            return await self._pool.answer(question.request)
        started = time.thread_time()
        try:
            return local.answer(question.request)
        finally:
            self.model_cpu_s += time.thread_time() - started

    async def _asked_remotely(self, question: _Question) -> Response:
        # Only now: a run of local models alone needs none of what this brings.
        from plotchain_lib.query.attempt import Asked
        from plotchain_lib.query.remote import Remote

        provider, call = question.kind.provider, question.call
        assert provider is not None and question.http is not None
        if self._remote is None:
            self._remote = Remote(self.cache)
        limits, terms = self._limits.of(question.folder, call.model)
        asked = Asked(question.http, question.key, call.model, question.folder)
        return await self._remote.answer(provider, question.request, limits, asked, terms)

    def _kind(self, name: Any) -> _Kind:
        """The model, imported once, and only while its file is the one this process stands for."""
        if name not in self._kinds:
            module = models.load(name)
            if self._sources and sources_fingerprint() != self._sources:
                raise PlotChainError("the library changed meanwhile; run Snakemake again")
            if models.is_remote(name):
                self._kinds[name] = _Kind(None, cast(Provider, module), "")
            else:
                self._kinds[name] = _Kind(module, None, digest_of(models.code_path(name)))
        return self._kinds[name]

    def _item(self, path: Path, identifier: str) -> Item:
        """One item of a shard; each version of the shard's file is read once."""
        try:
            status = path.stat()
            version = (path, status.st_mtime_ns, status.st_size)
            if version not in self._shards:
                self._shards[version] = {item.id: item for item in read_items(path)}
                if len(self._shards) > _MOST_SHARDS:
                    del self._shards[next(iter(self._shards))]
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
            raise PlotChainError(
                f"{path}: the items cannot be read ({reason}); run again to generate them"
            ) from error
        try:
            return self._shards[version][identifier]
        except KeyError:
            raise PlotChainError(
                f"{path}: holds no item '{identifier}'; delete the file and run again"
            ) from None
