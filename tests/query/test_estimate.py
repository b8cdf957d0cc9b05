"""What a run would ask and cost, counted from items, pictures and what is kept."""

import struct
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from plotchain_lib.files import write_items
from plotchain_lib.item import Field, Item, PlotChainError, Request, Response
from plotchain_lib.models import openai
from plotchain_lib.models._providers.parameters import effective
from plotchain_lib.query.cache import Cache, call_key, entry_of
from plotchain_lib.query.episode import episode_key
from plotchain_lib.query.estimate import Estimate, estimate, table

PICTURE = b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR" + struct.pack(">II", 512, 512)
END = b"\0" * 13 + b"IEND\xaeB`\x82"
PROMPT = "Read the voltage. " * 20  # 90 tokens at 4 characters each
PRICE = {"kind": "openai", "model": "m", "input": 2.0, "output": 8.0, "cached": 2.0,
         "reasoning": 8.0, "date": "2026-01-01", "source": "x"}  # fmt: skip
LIMITS = {"price": PRICE, "budget_usd": None, "total_usd": None}


class Run:
    """Three items, each with a picture of its own, and a cache."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.cache = folder, Cache(folder / "cache", lambda line: None)
        field = Field("a", "V", "a voltage", "final", 2)
        self.items = [
            Item(f"s_{n}", "plotchain", "s", "s", PROMPT, f"{n}.png", (field,), {"a": 1.0}, {}, 0, "clean")
            for n in range(3)
        ]  # fmt: skip
        write_items(folder / "s.jsonl", self.items)
        for number in range(3):
            (folder / f"{number}.png").write_bytes(PICTURE + bytes([number]) + END)

    def settings(self, **own: Any) -> dict[str, Any]:
        return effective({"kind": "openai", "model": "m"} | own)

    def asked(self, repeats: int = 1, chosen: tuple[int, ...] = (0, 1, 2)) -> list[dict[str, Any]]:
        pictures = {f"s_{n}": str(self.folder / f"{n}.png") for n in range(3)}
        return [{"items": [str(self.folder / "s.jsonl")], "chosen": [f"s_{n}" for n in chosen],
                 "repeats": repeats, "pictures": pictures}]  # fmt: skip

    def estimate(self, asked: list[dict[str, Any]] | None = None, **own: Any) -> Estimate:
        return estimate("gpt", self.settings(**own), LIMITS, asked or self.asked(), self.cache)

    def keep(self, number: int, tokens: int) -> None:
        """The answer to an item, as the broker keeps it."""
        settings = self.settings()
        data = (self.folder / f"{number}.png").read_bytes()
        request = Request("openai", settings, PROMPT, ("a",), data, 1, item=f"s_{number}")
        key = call_key(request, openai.call(request))
        response = Response("answered", "{}", input_tokens=345, output_tokens=tokens)
        self.cache.put(key, entry_of(request, response, key, "2026-01-01T00:00:00Z"))


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return Run(tmp_path)


def test_calls_tokens_and_dollars_by_hand(run: Run) -> None:
    assert run.estimate(run.asked(repeats=2)) == Estimate(
        # 90 tokens of text, and 85 + 170 of one tile
        "gpt", kept=0, same=0, calls=6, waiting=0, input_tokens=6 * (90 + 255), output_tokens=6 * 250,
        most_tokens=6 * 2048, usd=pytest.approx(6 * (345 * 2 + 250 * 8) / 1e6),
        most_usd=pytest.approx(6 * (345 * 2 + 2048 * 8) / 1e6),
    )  # fmt: skip
    assert run.estimate(run.asked(chosen=(1,))).calls == 1
    assert run.estimate(detail="low").input_tokens == 3 * (90 + 85)
    assert run.estimate(max_tokens=100).output_tokens == 300
    thinks = run.estimate(max_tokens=16384)
    assert thinks.output_tokens == 3 * 16384 / 4


def test_what_is_kept_costs_nothing_and_tells_how_long_answers_are(run: Run) -> None:
    run.keep(0, tokens=40)
    run.keep(1, tokens=60)
    found = run.estimate(run.asked(repeats=2))
    assert (found.kept, found.calls, found.output_tokens) == (2, 4, 4 * 50)
    assert run.estimate(temperature=1).kept == 0  # another question
    assert run.estimate(run.asked(chosen=(0, 1))).usd == 0.0


def test_one_question_is_asked_once(run: Run) -> None:
    """Without their pictures the items of a family ask the same."""
    found = run.estimate(run.asked(repeats=2), see_image=False)
    assert (found.kept, found.same, found.calls, found.input_tokens) == (0, 4, 2, 2 * 90)
    assert "4 calls ask what another call of their model asks" in table([found], [])


def test_extractions_are_counted_and_those_done_are_not(run: Run) -> None:
    paths = [str(run.folder / f"{n}.1.json") for n in range(5)]
    Path(paths[0]).write_text("{}")
    found = estimate("gpt", run.settings(), LIMITS, [], run.cache, paths)
    assert (found.kept, found.calls, found.input_tokens) == (1, 4, 4 * (100 + 250))
    assert found.usd == pytest.approx(4 * (350 * 2 + 250 * 8) / 1e6)


def test_an_unlimited_answer_has_no_upper_bound(run: Run) -> None:
    found = run.estimate(max_tokens=None)
    assert (found.output_tokens, found.most_tokens, found.most_usd) == (3 * 250, None, None)
    assert table([found, found], []).splitlines()[1].endswith("?")


def test_pictures_that_are_not_there_or_are_none(run: Run) -> None:
    (run.folder / "1.png").unlink()
    found = run.estimate()
    assert (found.calls, found.waiting) == (2, 1)
    assert "1 calls wait for pictures" in table([found], [])
    (run.folder / "1.png").write_bytes(b"something else")
    with pytest.raises(PlotChainError, match=r"1\.png: not a PNG; delete it"):
        run.estimate()


def test_the_table_is_for_people() -> None:
    first = Estimate("gpt-4.1", 3, 0, 1447, 0, 1_234_567, 361_750, 2_963_456, 5.363, 26.176)
    second = Estimate("local", 0, 0, 10, 0, 100, 200, 300, None, None)
    assert table([first, second], ["reader", "blind"]).splitlines() == [
        "model    kept  to ask  input tokens  output tokens   USD  USD at most",
        "gpt-4.1     3   1,447     1,234,567        361,750  5.36        26.18",
        "local       0      10           100            200     ?            ?",
        "all         3   1,457     1,234,667        361,950  5.36        26.18",
        "free, answered here: reader, blind",
        "no price known: local; add it to the price file",
    ]
    assert table([], ["blind"]) == "free, answered here: blind\n"


def keep_episode(run: Run, number: int, turns: int) -> None:
    """A played episode, as the broker keeps it."""
    settings, item = run.settings(), run.items[number]
    request = Request("openai", settings, PROMPT, (), None, 1, item=item.id)
    key = episode_key(call_key(request, openai.call(request)), "plotchain_lib.x:play", item)
    response = Response("answered", "{}", input_tokens=5000, output_tokens=700,
                        received={"turns": turns})  # fmt: skip
    run.cache.put(key, entry_of(request, response, key, "2026-01-01T00:00:00Z"))


def test_an_episode_is_as_many_calls_as_turns(run: Run) -> None:
    # Each item is another task: its files, not its name, make an episode another one.
    run.items = [replace(i, params={"workspace_sha256": i.id}) for i in run.items]
    write_items(run.folder / "s.jsonl", run.items)
    asked = [{**run.asked()[0], "player": "plotchain_lib.x:play", "turns": 10}]
    guessed = run.estimate(asked)
    # Six of ten turns; each is sent the prompt and, of k turns before it, k times 250 + 400 tokens.
    assert (guessed.calls, guessed.most_tokens) == (3 * 6, 3 * 10 * 2048)
    assert guessed.input_tokens == 3 * (6 * 90 + 650 * (1 + 2 + 3 + 4 + 5))
    assert guessed.output_tokens == 3 * 6 * 250
    keep_episode(run, 0, turns=4)
    known = run.estimate(asked)
    assert (known.kept, known.calls) == (4, 2 * 4)
    assert (known.input_tokens, known.output_tokens) == (2 * 5000, 2 * 700)
