"""From a call to the bytes of its response file: read, look up, ask, keep.

A call whose input is at fault raises PlotChainError and fails its job. A call that cannot be
answered now (no picture yet, nothing recorded) ends as ``pending``, which is never kept.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any

from plotchain_lib import models
from plotchain_lib.item import Item, PlotChainError, Request, Response, read_items
from plotchain_lib.query import digest_of, sources_fingerprint
from plotchain_lib.query.cache import Cache, Entry, cache_key, canonical, entry_of, now
from plotchain_lib.query.pool import Pool

_PNG_START = b"\x89PNG\r\n\x1a\n"
_PNG_END = b"IEND\xaeB`\x82"
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

    @staticmethod
    def parse(text: str | bytes) -> Call:
        """Read a call. Raises PlotChainError on anything else."""
        try:
            call = Call(**json.loads(text))
            known = {"repeat": int, "tries": int, "settings": dict}
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
    """A loaded model and the fingerprint of its code."""

    module: models.LocalModel
    code: str


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

    async def answer(self, folder: Path, call: Call) -> bytes:
        """The response file of a call whose paths are relative to `folder`."""
        entry = await self._entry(folder, call)
        response = {
            **entry,
            "dataset": call.dataset,
            "model": call.model,
            "item": call.item,
            "repeat": call.repeat,
        }
        return canonical(response) + b"\n"

    def close(self) -> None:
        """Let go of processes and files."""
        self._pool.close()
        self.cache.close()

    async def _entry(self, folder: Path, call: Call) -> Entry:
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
        picture, problem = None, ""
        if kind.module.sees_picture and call.picture:
            picture, problem = _read_picture(folder, call.picture)
        material: Mapping[str, Any] | None = {}
        if call.source:
            material = kind.module.material(folder / call.source, item)
            if material is None:
                problem = f"{call.source}: no record of this item"
        if problem:
            unasked = request(picture=None)
            return entry_of(unasked, Response("pending", reason=problem), None, now())
        return await self._answered_once(kind, request(picture=picture, material=material or {}))

    async def _answered_once(self, kind: _Kind, request: Request) -> Entry:
        """From the cache, from the call already in flight, or from the model."""
        key = cache_key(request, kind.code)
        task = self._in_flight.get(key)
        if task is None:
            if (entry := self.cache.get(key)) is not None:
                return entry
            # A task of its own, shielded: who asked may be gone before the answer is here.
            task = asyncio.create_task(self._ask(kind, request, key))
            self._in_flight[key] = task
            task.add_done_callback(lambda _: self._in_flight.pop(key))
        return await asyncio.shield(task)

    async def _ask(self, kind: _Kind, request: Request, key: str) -> Entry:
        asked_at = now()
        about = {"item": request.item, "kind": request.kind, "repeat": request.repeat}
        self.cache.note("asked", key, about)
        try:
            response = await self._respond(kind, request)
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

    async def _respond(self, kind: _Kind, request: Request) -> Response:
        if kind.module.runs_in_pool:
            return await self._pool.answer(request)
        started = time.thread_time()
        try:
            return kind.module.answer(request)
        finally:
            self.model_cpu_s += time.thread_time() - started

    def _kind(self, name: Any) -> _Kind:
        """The model, imported once, and only while its file is the one this process stands for."""
        if name not in self._kinds:
            module = models.load(name)
            if self._sources and sources_fingerprint() != self._sources:
                raise PlotChainError("the library changed meanwhile; run Snakemake again")
            self._kinds[name] = _Kind(module, digest_of(models.code_path(name)))
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


def _read_picture(folder: Path, picture: str) -> tuple[bytes | None, str]:
    """The PNG's bytes, or what is wrong with it: a cut-off picture is never shown or paid for."""
    try:
        content = (folder / picture).read_bytes()
    except OSError as error:
        return None, f"{picture}: the picture cannot be read ({error.strerror})"
    if not content.startswith(_PNG_START):
        return None, f"{picture}: not a PNG"
    if _PNG_END not in content:
        return None, f"{picture}: the PNG is cut off"
    return content, ""
