"""What a response holds, what makes a question new, and how faults are told."""

import json
import subprocess
from pathlib import Path

import pytest

from plotchain_lib.item import Request
from plotchain_lib.query.cache import Cache, cache_key, canonical

from .conftest import PNG, Place


def test_a_response_says_what_was_sent_and_is_the_same_from_the_cache(place: Place) -> None:
    response = place.ask(place.blind(), "out/a.json")
    assert response["dataset"] == "d" and response["model"] == "blind"
    assert response["item"] == "s_0" and response["repeat"] == 1
    assert response["outcome"] == "answered" and response["reason"] == ""
    assert response["text"] == '{"a": 3.5}' and response["latency_s"] is None
    assert response["sent"] == {
        "fields": ["a"], "picture_sha256": None, "prompt": "Read µ 0", "settings": {"kind": "blind"},
    }  # fmt: skip
    place.ask(place.blind(), "out/b.json")
    direct = [place.environment["PLOTCHAIN_PYTHON"], "-m", "plotchain_lib.query", "--direct"]
    library = str(Path(__file__).resolve().parents[2])
    subprocess.run(
        [*direct, "out/c.json", place.blind()], cwd=place.folder, check=True,
        env={**place.environment, "PYTHONPATH": library},
    )  # fmt: skip
    contents = {path.read_bytes() for path in (place.folder / "out").iterdir()}
    assert len(contents) == 1 and contents.pop() == canonical(response) + b"\n"
    assert len(place.journal("asked")) == 1


def test_what_makes_a_question_new(place: Place) -> None:
    keys = [place.ask(place.slow())["cache_key"]]
    keys.append(place.ask(place.slow(repeat=2))["cache_key"])
    keys.append(place.ask(place.slow(settings={"detail": "high"}))["cache_key"])
    (place.folder / "p.png").write_bytes(PNG.replace(b"pixels", b"Pixels"))
    keys.append(place.ask(place.slow())["cache_key"])
    items = place.folder / "s.jsonl"
    items.write_text(items.read_text().replace("Read µ 0", "Read µ 0!"))
    keys.append(place.ask(place.slow())["cache_key"])
    assert len(set(keys)) == 5
    same = place.call("alias", "s_0", dataset="e", settings={"kind": "slow", "seconds": 0.0},
                      picture="p.png")  # fmt: skip
    assert place.ask(same)["cache_key"] == keys[4]
    assert place.journal("asked") == keys


def test_another_shards_constants_change_nothing(place: Place) -> None:
    key = place.ask(place.blind())["cache_key"]
    floor = json.loads((place.folder / "floor.json").read_text())
    floor["shards"]["t"] = {"folds": [{"items": None, "constants": {"b": 1}}]}
    (place.folder / "floor.json").write_text(json.dumps(floor))
    assert place.ask(place.blind())["cache_key"] == key


@pytest.mark.parametrize("content", [b"", b'{"text": "cut o', b"{}", b"[]", b"\xff"])
def test_a_broken_cache_file_is_asked_again_and_replaced(place: Place, content: bytes) -> None:
    if content and content != b"{}":  # real processes for two of them, the same code for all
        said: list[str] = []
        cache = Cache(place.cache, said.append)
        cache.path("ab" * 32).parent.mkdir(parents=True)
        cache.path("ab" * 32).write_bytes(content)
        assert cache.get("ab" * 32) is None and len(said) == 1
        cache.close()
        return
    key = place.ask(place.blind())["cache_key"]
    path = place.cache / key[:2] / f"{key[2:]}.json"
    path.write_bytes(content)
    place.ask(place.blind())
    assert json.loads(path.read_bytes())["text"] == '{"a": 3.5}'
    assert place.log.count("asking again") == 1
    assert place.journal("asked") == [key, key]


@pytest.mark.parametrize(
    ("content", "reason"),
    [(None, "cannot be read"), (b"<html>", "not a PNG"), (PNG[:-5], "cut off"), (b"", "not a PNG")],
)
def test_a_picture_that_cannot_be_shown_leaves_the_call_pending(
    place: Place, content: bytes | None, reason: str
) -> None:
    picture = place.folder / "p.png"
    picture.unlink() if content is None else picture.write_bytes(content)
    response = place.ask(place.slow())
    assert response["outcome"] == "pending" and reason in response["reason"]
    assert "p.png" in response["reason"] and response["cache_key"] is None
    picture.write_bytes(PNG)
    assert place.ask(place.slow())["outcome"] == "answered"


def test_an_item_or_repeat_that_was_not_recorded_is_pending_and_not_kept(place: Place) -> None:
    (place.folder / "r.jsonl").write_text('{"id": "s_0", "raw_text": "4", "latency_s": 1.5}\n')
    call = {"settings": {"kind": "recorded"}, "source": "r.jsonl"}
    assert place.ask(place.call("r", "s_0", **call))["latency_s"] == 1.5
    missing = place.ask(place.call("r", "s_1", **call))
    assert missing["outcome"] == "pending" and "r.jsonl" in missing["reason"]
    repeat = place.ask(place.call("r", "s_0", repeat=2, **call))
    assert repeat["outcome"] == "pending" and "repeat 2" in repeat["reason"]
    assert len(place.journal("stored")) == 1


def test_faults_are_one_line_that_names_the_place(place: Place) -> None:
    (place.folder / "cut.jsonl").write_text('{"id": "s_0", "raw_text": "4"}\n{"id": "s_1", "ra')
    (place.folder / "broken.json").write_text("{")
    (place.folder / "latin.jsonl").write_bytes(b"\xe9\n")
    recorded = {"kind": "recorded"}
    for call, expected in [
        (place.blind("s_99"), "s.jsonl: holds no item 's_99'"),
        (place.blind(items="none.jsonl"), "none.jsonl: the items cannot be read"),
        (place.blind(items="cut.jsonl"), "cut.jsonl:1: not an item"),
        (place.blind(items="latin.jsonl"), "latin.jsonl: the items cannot be read"),
        (place.blind(source="none.json"), "none.json: the blind constants cannot be read"),
        (place.blind(source="broken.json"), "broken.json: not a floor file"),
        (place.blind(settings={"kind": "blnd"}), "'blnd'; known are anthropic, blind, "),
        (place.blind(settings={"kind": "blind", "top": 1}), "no setting 'top'"),
        (place.blind(settings=recorded, source="cut.jsonl"), "cut.jsonl:2: not valid JSON"),
        (place.blind(settings=recorded, source="none.jsonl"), "none.jsonl: the recorded answers"),
        ("{", "not a call"),
        ('{"dataset": 1}', "not a call"),
    ]:
        assert expected in place.fail(call)
    assert place.log.count("serves") == 1 and "Traceback" not in place.log


def test_an_output_that_cannot_be_written_is_one_line(place: Place) -> None:
    (place.folder / "file").write_text("")
    process = place.start(place.blind(), "file/a.json")
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 1
    assert errors.count("\n") == 1 and "file" in errors


def test_half_a_surrogate_pair_can_be_kept() -> None:
    assert canonical({"b": "µ", "a": 1}) == '{"a":1,"b":"µ"}'.encode()
    assert json.loads(canonical({"a": "µ\ud83d"})) == {"a": "µ\ud83d"}


def test_a_local_models_code_is_part_of_the_key() -> None:
    request = Request("blind", {"kind": "blind"}, "p", ("a",), None, 1, {}, "s_0")
    assert cache_key(request, "one") != cache_key(request, "two")
