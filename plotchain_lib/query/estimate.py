"""What a run would ask and cost, before anything is sent.

Calls whose answers are kept already cost nothing and are counted apart, as are those that ask what
another call asks (items without their pictures may): a question is asked once. Input tokens are
estimated from the text and the picture's size; output tokens from the answers the model has given
so far, else from a plain guess; at most, every answer uses its whole budget of tokens.

An episode is as many calls as it has turns, each of which is sent all that was said before. What
its turns and tokens will be is known from the model's episodes so far, else guessed; at most it
uses all its turns.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from plotchain_lib import models
from plotchain_lib.files import read_items
from plotchain_lib.item import Item, PlotChainError, Request
from plotchain_lib.models._providers.pictures import picture_tokens
from plotchain_lib.query.cache import Cache, call_key
from plotchain_lib.query.episode import episode_key
from plotchain_lib.query.money import Terms

_CHARACTERS = 4  # of English and JSON, a token
_EXTRACTION_TOKENS = 100  # what an extractor is told, besides the reply it copies from
# Where the model has not answered yet.
_ANSWER_TOKENS, _THINKING_SHARE, _LARGE_BUDGET = 250, 0.25, 4096
_TURNS_SHARE = 0.6  # of an episode's turns
_OUTCOME_TOKENS = 400  # what an episode is told after a turn


@dataclass(frozen=True, slots=True)
class Estimate:
    """What one model would be asked.

    Attributes:
        kept: calls whose answers are in the cache.
        same: calls that ask what another call of the model asks; it is sent once for all.
        calls: calls that would be sent.
        waiting: calls that cannot be sent yet, for want of a picture.
        input_tokens, output_tokens: of the calls that would be sent, as they may be expected.
        most_tokens: the output if every answer used its whole budget; None where it has none.
        usd, most_usd: in US dollars; None where no price, or no upper bound, is known.
    """

    model: str
    kept: int
    same: int
    calls: int
    waiting: int
    input_tokens: int
    output_tokens: int
    most_tokens: int | None
    usd: float | None
    most_usd: float | None


@dataclass(slots=True)
class _Count:
    kept: int = 0
    same: int = 0
    calls: int = 0
    waiting: int = 0
    input_tokens: int = 0
    answered: int = 0
    answer_tokens: int = 0
    keys: set[str] = field(default_factory=set)
    episodes: _Episodes = field(default_factory=lambda: _Episodes())


@dataclass(slots=True)
class _Episodes:
    """Episodes of a model: those kept, with what they took, and the prompts of those to come."""

    kept: int = 0
    turns: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    prompts: list[tuple[int, int]] = field(default_factory=list)  # tokens, and turns at most


def estimate(
    label: str,
    settings: Mapping[str, Any],
    limits: Mapping[str, Any],
    asked: Iterable[Mapping[str, Any]],
    cache: Cache,
    extractions: Iterable[str] = (),
) -> Estimate:
    """One provider model's share of a run.

    Args:
        extractions: the files of the replies it would copy an answer out of. Those replies may not
            be there yet: each is taken to be as long as the plain guess.
        asked: a dataset each: ``items`` (the shards' files), ``chosen`` (the items' ids),
            ``repeats``, ``pictures`` (item id to path); of episodes also ``player`` and ``turns``,
            how many one has at most.
        limits: with the price, as the plan gives them.
    """
    count = _Count()
    for dataset in asked:
        for item, repeat in _questions(dataset):
            if player := dataset.get("player"):
                first = _first_turn(settings, item, repeat)
                _look_up_episode(count, first, player, item, int(dataset["turns"]), cache)
            else:
                picture = dataset["pictures"].get(item.id, "")
                _look_up(count, settings, item, picture, repeat, cache)
    for path in extractions:
        _look_up_extraction(count, path)
    expected = _expected_tokens(count, settings)
    output, budget = round(count.calls * expected), settings.get("max_tokens")
    most_calls = count.calls + sum(turns for _, turns in count.episodes.prompts)
    output += _add_episodes(count, settings)
    most = None if budget is None else most_calls * int(budget)
    price = Terms.of(limits).price
    return Estimate(
        label, count.kept, count.same, count.calls, count.waiting, count.input_tokens, output, most,
        price.of(count.input_tokens, output) if price else None,
        price.of(count.input_tokens, most) if price and most is not None else None,
    )  # fmt: skip


def table(rows: Sequence[Estimate], local: Sequence[str]) -> str:
    """The estimates as a person reads them, with the total and the models that cost nothing."""
    names = ("model", "kept", "to ask", "input tokens", "output tokens", "USD", "USD at most")
    lines = [names, *(_line(row) for row in rows)]
    if len(rows) > 1:
        lines.append(_line(_total(rows)))
    widths = [max(len(line[column]) for line in lines) for column in range(len(names))]
    text = "\n".join(
        "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )
    notes = [f"free, answered here: {', '.join(local)}"] if local else []
    if unknown := [row.model for row in rows if row.usd is None]:
        notes.append(f"no price known: {', '.join(unknown)}; add it to the price file")
    if same := sum(row.same for row in rows):
        notes.append(f"{same} calls ask what another call of their model asks; it is sent once")
    if waiting := sum(row.waiting for row in rows):
        notes.append(f"{waiting} calls wait for pictures that are not there")
    return "\n".join([*([text] if rows else []), *notes]) + "\n"


def _questions(dataset: Mapping[str, Any]) -> Iterator[tuple[Item, int]]:
    chosen = set(dataset["chosen"])
    for path in dataset["items"]:
        for item in read_items(Path(path)):
            if item.id in chosen:
                for repeat in range(1, dataset["repeats"] + 1):
                    yield item, repeat


def _first_turn(settings: Mapping[str, Any], item: Item, repeat: int) -> str:
    """The key of an episode's first question."""
    request = Request(settings["kind"], settings, item.prompt, (), None, repeat, item=item.id)
    provider: Any = models.load(settings["kind"])
    return call_key(request, provider.call(request))


def _look_up_episode(
    count: _Count, first: str, player: str, item: Item, turns: int, cache: Cache
) -> None:
    """Count one episode: kept, or to be played."""
    entry, episodes = cache.get(episode_key(first, player, item)), count.episodes
    if entry is None:
        episodes.prompts.append((len(item.prompt) // _CHARACTERS, turns))
        return
    played = int((entry.get("received") or {}).get("turns", 0))
    count.kept += played
    if entry["input_tokens"] is not None and entry["output_tokens"] is not None:
        episodes.kept += 1
        episodes.turns += played
        episodes.input_tokens += entry["input_tokens"]
        episodes.output_tokens += entry["output_tokens"]


def _add_episodes(count: _Count, settings: Mapping[str, Any]) -> int:
    """Add the calls and input tokens of the episodes to come; returns their output tokens."""
    episodes, output = count.episodes, 0
    for prompt, most in episodes.prompts:
        if episodes.kept:
            turns = round(episodes.turns / episodes.kept)
            count.input_tokens += round(episodes.input_tokens / episodes.kept)
            output += round(episodes.output_tokens / episodes.kept)
        else:
            turns, answer = round(most * _TURNS_SHARE), _expected_tokens(count, settings)
            said = round(answer) + _OUTCOME_TOKENS
            count.input_tokens += turns * prompt + said * turns * (turns - 1) // 2
            output += round(turns * answer)
        count.calls += turns
    return output


def _look_up(
    count: _Count, settings: Mapping[str, Any], item: Item, picture: str, repeat: int, cache: Cache
) -> None:
    """Count one call: kept, to be sent, or waiting."""
    looks = settings.get("see_image") is not False
    try:
        data = Path(picture).read_bytes() if looks and picture else None
    except OSError:
        count.waiting += 1
        return
    fields = tuple(entry.name for entry in item.fields)
    request = Request(settings["kind"], settings, item.prompt, fields, data, repeat, item=item.id)
    provider: Any = models.load(settings["kind"])
    key = call_key(request, provider.call(request))
    if key in count.keys:
        count.same += 1
        return
    count.keys.add(key)
    entry = cache.get(key)
    if entry is not None:
        count.kept += 1
        count.answered += entry["output_tokens"] is not None
        count.answer_tokens += entry["output_tokens"] or 0
        return
    count.calls += 1
    count.input_tokens += len(item.prompt) // _CHARACTERS
    if data is not None:
        count.input_tokens += picture_tokens(settings, *_size(data, picture))


def _look_up_extraction(count: _Count, path: str) -> None:
    """Count one extraction: done, or to be sent."""
    if Path(path).is_file():
        count.kept += 1
    else:
        count.calls += 1
        count.input_tokens += _EXTRACTION_TOKENS + _ANSWER_TOKENS


def _expected_tokens(count: _Count, settings: Mapping[str, Any]) -> float:
    """Output tokens of one answer."""
    if count.answered:
        return count.answer_tokens / count.answered
    most: int | None = settings.get("max_tokens")
    if most is None:
        return _ANSWER_TOKENS
    # Only a model that thinks is given so large a budget.
    return most * _THINKING_SHARE if most > _LARGE_BUDGET else min(most, _ANSWER_TOKENS)


def _size(data: bytes, picture: str) -> tuple[int, int]:
    if data[12:16] != b"IHDR":
        raise PlotChainError(f"{picture}: not a PNG; delete it and run again")
    width, height = struct.unpack(">II", data[16:24])
    return width, height


def _line(row: Estimate) -> tuple[str, ...]:
    usd = ["?" if value is None else f"{value:.2f}" for value in (row.usd, row.most_usd)]
    counts = (row.kept, row.calls, row.input_tokens, row.output_tokens)
    return (row.model, *(f"{number:,}" for number in counts), *usd)


def _total(rows: Sequence[Estimate]) -> Estimate:
    def total(name: str) -> Any:
        return sum(getattr(row, name) or 0 for row in rows)

    names = ("kept", "same", "calls", "waiting", "input_tokens", "output_tokens", "most_tokens")
    counts = {name: total(name) for name in names}
    unbounded = any(row.usd is not None and row.most_usd is None for row in rows)
    most_usd = None if unbounded else total("most_usd")
    return Estimate("all", **counts, usd=total("usd"), most_usd=most_usd)
