"""Turns as the broker asks them: over HTTP, through the cache, each once."""

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from wire_formats import Question
from wire_servers import WireServer

from plotchain_lib import models
from plotchain_lib.files import write_items, write_json
from plotchain_lib.item import Field, Item, NotNowError, PlotChainError
from plotchain_lib.query import call_text, limits_path
from plotchain_lib.query import episode as module
from plotchain_lib.query.asker import Asker, Call
from plotchain_lib.query.cache import Cache
from plotchain_lib.query.episode import Ask, player_of, response_of

KEYS = {"openai": "key-of-openai-1", "openai_compatible": "key-of-compatible-2",
        "anthropic": "key-of-anthropic-3", "gemini": "key-of-gemini-4"}  # fmt: skip
VARIABLES = {"openai": "OPENAI_API_KEY", "openai_compatible": "COMPATIBLE_API_KEY",
             "anthropic": "ANTHROPIC_API_KEY", "gemini": "GEMINI_API_KEY"}  # fmt: skip
NAME = "plotchain_lib.query.episode:player_of"  # replaced by what a test plays


def scripted(question: Question) -> str:
    return f"reply {len(question.later) // 2 + 1}"


def three_turns(item: Item, folder: Path, ask: Ask, options: Mapping[str, Any]) -> dict[str, Any]:
    """Three turns, and the record of them."""
    messages, turns = [{"role": "user", "text": item.prompt}], []
    for number in range(1, 4):
        reply = ask(messages)
        turns.append({"turn": number, "reply": dict(reply)})
        messages += [{"role": "assistant", "text": reply["text"]},
                     {"role": "user", "text": f"output {number} {options.get('word', '')}"}]  # fmt: skip
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "played").open("a") as stream:
        stream.write("x")
    return {"turns": turns, "end": "done", "reason": "", "submission": "s", "sealed": True}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[WireServer]:
    for wire, variable in VARIABLES.items():
        monkeypatch.setenv(variable, KEYS[wire])
    with WireServer(KEYS, answers=scripted) as server:
        yield server
        assert server.complaints == []


class Desk:
    """A working folder with one item, asked through an asker in this process."""

    def __init__(self, folder: Path, server: WireServer) -> None:
        self.folder, self.server, self.cache = folder, server, folder / "cache"
        fields = (Field("encoding", "", "a decision", "final"),)
        item = Item("t_0", "matplotgym", "physics", "physics", "Draw µ", None, fields,
                    {"encoding": 1.0}, {"task": "t"}, None, "clean")  # fmt: skip
        write_items(folder / "t.jsonl", [item])

    def call(self, kind: str = "openai_compatible", repeat: int = 1, **changes: Any) -> Call:
        paths = {
            "openai": "/v1",
            "openai_compatible": "/v1",
            "anthropic": "/v1",
            "gemini": "/v1beta",
        }
        settings = {"kind": kind, "model": "m", "base_url": self.server.address + paths[kind],
                    "key": VARIABLES[kind], "max_tokens": 50}  # fmt: skip
        text = call_text(dataset="d", model="m", item="t_0", repeat=repeat, items="t.jsonl",
                         settings=settings, player=NAME, **changes)  # fmt: skip
        return Call.parse(text)

    def ask(self, *calls: Call) -> list[dict[str, Any]]:
        async def run() -> list[bytes]:
            asker = Asker(Cache(self.cache, print), print)
            try:
                return await asyncio.gather(*(asker.answer(self.folder, call) for call in calls))
            finally:
                await asker.close()

        return [json.loads(answer) for answer in asyncio.run(run())]


@pytest.fixture
def plays(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any], None]:
    return lambda play: monkeypatch.setattr(module, "player_of", lambda name: play)


@pytest.fixture
def desk(tmp_path: Path, server: WireServer, plays: Callable[[Any], None]) -> Desk:
    plays(three_turns)
    return Desk(tmp_path, server)


@pytest.mark.parametrize("kind", KEYS)
def test_an_episode_in_every_wire_format(desk: Desk, kind: str) -> None:
    (response,) = desk.ask(desk.call(kind))
    assert response["outcome"] == "answered" and response["item"] == "t_0"
    record = json.loads(response["text"])
    assert [turn["reply"]["text"] for turn in record["turns"]] == ["reply 1", "reply 2", "reply 3"]
    assert [seen.question.later for seen in desk.server.seen] == [
        (), ("reply 1", "output 1 "), ("reply 1", "output 1 ", "reply 2", "output 2 "),
    ]  # fmt: skip
    assert all(
        seen.question.prompt == "Draw µ" and not seen.question.picture for seen in desk.server.seen
    )
    parts = [turn["reply"] for turn in record["turns"]]
    for name in ("input_tokens", "output_tokens"):
        assert response[name] == sum(part[name] for part in parts) > 0
    assert response["latency_s"] == pytest.approx(sum(part["latency_s"] for part in parts))
    assert response["received"] == {"turns": 3, "end": "done", "sealed": True}
    assert KEYS[kind] not in json.dumps(response)


def test_an_episode_is_played_and_paid_once(desk: Desk) -> None:
    first, second = desk.ask(desk.call(), desk.call())  # side by side: one is played
    (third,) = desk.ask(desk.call())  # and kept
    assert first == second == third and len(desk.server.seen) == 3
    (played,) = desk.cache.glob("episodes/*/*/played")
    assert played.read_text() == "x"
    desk.ask(desk.call(repeat=2))
    assert len(desk.server.seen) == 6
    # What the player may do is no part of what was asked.
    assert desk.ask(desk.call(options={"word": "other"}))[0]["text"] == first["text"]
    assert len(desk.server.seen) == 6


def test_turns_are_kept_each_under_its_own_question(
    desk: Desk, plays: Callable[[Any], None]
) -> None:
    class GoneError(Exception):
        pass

    def dies(item: Item, folder: Path, ask: Ask, options: Mapping[str, Any]) -> dict[str, Any]:
        three_turns(item, folder, ask, options)
        raise GoneError

    plays(dies)
    with pytest.raises(GoneError):
        desk.ask(desk.call())
    plays(three_turns)
    (response,) = desk.ask(desk.call())
    assert len(desk.server.seen) == 3
    keys = [turn["reply"]["cache_key"] for turn in json.loads(response["text"])["turns"]]
    entries = [json.loads(Cache(desk.cache, print).path(key).read_bytes()) for key in keys]
    assert [entry["text"] for entry in entries] == ["reply 1", "reply 2", "reply 3"]
    assert len({entry["sent"]["messages_sha256"] for entry in entries}) == 3


def test_a_turn_that_cannot_be_asked_leaves_the_episode_pending(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(VARIABLES["openai_compatible"])
    (response,) = desk.ask(desk.call())
    assert response["outcome"] == "pending" and "COMPATIBLE_API_KEY" in response["reason"]
    assert response["cache_key"] is None and desk.server.seen == []
    monkeypatch.setenv(VARIABLES["openai_compatible"], KEYS["openai_compatible"])
    assert desk.ask(desk.call())[0]["outcome"] == "answered"


def test_what_cannot_be_played_here_is_pending_and_played_later(
    desk: Desk, plays: Callable[[Any], None]
) -> None:
    def without_sandbox(*_: Any) -> dict[str, Any]:
        raise NotNowError("bubblewrap is missing; install it")

    plays(without_sandbox)
    (response,) = desk.ask(desk.call())
    assert (response["outcome"], response["cache_key"]) == ("pending", None)
    assert response["reason"] == "bubblewrap is missing; install it" and desk.server.seen == []
    plays(three_turns)
    assert desk.ask(desk.call())[0]["outcome"] == "answered"


def test_the_budget_ends_an_episode_between_turns(desk: Desk) -> None:
    # A turn may take its 50 tokens, half a dollar; it takes 2 of them.
    price = {"kind": "openai_compatible", "model": "m", "input": 0.0, "cached": 0.0, "date": "",
             "output": 10000.0, "reasoning": 10000.0, "source": ""}  # fmt: skip
    terms = {"budget_usd": 0.51, "price": price}
    write_json(limits_path(desk.cache, desk.folder), {"m": terms})
    (response,) = desk.ask(desk.call())
    assert response["outcome"] == "pending" and "budget" in response["reason"]
    assert len(desk.server.seen) == 1
    write_json(limits_path(desk.cache, desk.folder), {"m": {}})
    assert desk.ask(desk.call())[0]["outcome"] == "answered"
    assert len(desk.server.seen) == 3


def test_a_local_model_plays_from_its_material(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = str(Path(__file__).parent / "kinds")
    monkeypatch.setattr(models, "__path__", [*models.__path__, kinds])
    monkeypatch.setattr(models, "KINDS", (*models.KINDS, "turns"))
    (desk.folder / "texts.json").write_text(json.dumps({"t_0": ["one", "two", "three"]}))
    about = {"dataset": "d", "model": "m", "item": "t_0", "repeat": 1, "items": "t.jsonl",
             "settings": {"kind": "turns"}, "source": "texts.json", "player": NAME}  # fmt: skip
    (response,) = desk.ask(Call.parse(call_text(**about)))
    record = json.loads(response["text"])
    assert [turn["reply"]["text"] for turn in record["turns"]] == ["one", "two", "three"]
    (desk.folder / "texts.json").write_text("{}")
    (missing,) = desk.ask(Call.parse(call_text(**about)))
    assert missing["outcome"] == "pending" and "texts.json" in missing["reason"]


def test_a_player_is_one_of_the_librarys() -> None:
    for name in ("os:system", "plotchain_lib", "plotchain_lib.item:", "plotchain_lib.item:nothing",
                 "plotchain_lib.nothing:play", "plotchain_lib.item:Item.x"):  # fmt: skip
        with pytest.raises(PlotChainError, match="player"):
            player_of(name)
    assert player_of("plotchain_lib.query.episode:response_of") is response_of


@pytest.mark.parametrize(
    ("end", "submission", "outcome"),
    [("done", None, "answered"), ("budget", "s", "answered"), ("rejected", None, "rejected"),
     ("blocked", "s", "answered"), ("blocked", None, "blocked")],
)  # fmt: skip
def test_the_outcome_of_an_episode(end: str, submission: str | None, outcome: str) -> None:
    turns = [{"reply": {"text": "", "cost_usd": 0.5, "input_tokens": 3}},
             {"reply": {"text": "", "cost_usd": None, "input_tokens": 4}}]  # fmt: skip
    record = {
        "turns": turns,
        "end": end,
        "reason": "why",
        "submission": submission,
        "sealed": False,
    }
    response = response_of(record)
    assert response.outcome == outcome and response.reason == ("why" if outcome == end else "")
    assert (response.input_tokens, response.cost_usd, response.output_tokens) == (7, None, None)
    assert json.loads(response.text) == record


def test_a_call_without_a_player_is_written_as_before() -> None:
    text = call_text(
        dataset="d", model="m", item="i", repeat=1, items="t", settings={"kind": "blind"}
    )
    assert "player" not in text and "options" not in text
