"""Inspect itself runs the exported task; its score is ours, item by item; its log comes back."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from small_sets import Small

from plotchain_lib.exports import from_inspect
from plotchain_lib.exports.inspect_task import write_task
from plotchain_lib.files import read_items
from plotchain_lib.item import Item, PlotChainError
from plotchain_lib.models import recorded

inspect_ai = pytest.importorskip("inspect_ai", reason="the optional extra exports is not installed")


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)  # Inspect takes paths from here only
    monkeypatch.setenv("INSPECT_DISPLAY", "none")
    monkeypatch.setenv("INSPECT_LOG_DIR", str(tmp_path / "logs"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def task_folder(small: Small, folder: Path) -> Path:
    write_task(folder, "small", small.items, small.pictures, small.policies)
    return folder / "plotchain_task.py"


def run(file: Path, model: Any, tmp_path: Path, **options: Any) -> Any:
    arguments = options.pop("task_args", {})
    (log,) = inspect_ai.eval(
        os.path.relpath(file), model=model, task_args=arguments, log_dir=str(tmp_path / "logs"),
        display="none", max_samples=1, ctl_server=False, acp_server=False, **options,
    )  # fmt: skip
    assert log.status == "success", log.error
    return log


def mock(outputs: list[Any]) -> Any:
    from inspect_ai.model import get_model

    return get_model("mockllm/model", custom_outputs=outputs)


def said(text: str, **more: Any) -> Any:
    """An output that brings its usage: Inspect would count tokens by a table from the network."""
    from inspect_ai.model import ModelOutput, ModelUsage

    output = ModelOutput.from_content("mockllm/model", text, **more)
    output.usage = ModelUsage(
        input_tokens=5, output_tokens=3, input_tokens_cache_read=100, total_cost=0.25
    )
    return output


def scores(log: Any, policies: list[str]) -> dict[str, dict[str, tuple[float, float]]]:
    from inspect_ai.log import read_eval_log

    samples = read_eval_log(log.location).samples
    return {
        policy: {
            sample.id: (
                sample.scores["verdicts"].value[policy],
                sample.scores["verdicts"].value[f"{policy}_fields"],
            )
            for sample in samples
        }
        for policy in policies
    }


def test_the_mock_models_score_and_the_recorded_answers_are_ours(
    small: Small, tmp_path: Path
) -> None:
    file = task_folder(small, tmp_path / "task")
    raw = small.record(tmp_path / "raw.jsonl")
    ours = small.judged(raw, tmp_path / "responses")
    policies = list(small.policies)
    verdicts = {v for items in ours.values() for v, _ in items.values()}
    assert verdicts == {0.0, 1.0}  # the replies tell right from wrong,
    assert ours[policies[0]] != ours[policies[1]]  # and one policy from the other
    order = [item.id for item in read_items(file.parent / "items.jsonl")]
    mocked = run(file, mock([said(small.replies[item]) for item in order]), tmp_path)
    assert scores(mocked, policies) == ours
    replayed = run(file, "none/none", tmp_path, task_args={"recorded": str(raw)})
    assert scores(replayed, policies) == ours
    metrics = replayed.results.scores
    means = {score.name: score.metrics["mean"].value for score in metrics}
    expected = sum(v for v, _ in ours[policies[0]].values()) / len(order)
    assert means[policies[0]] == pytest.approx(expected)


def test_the_task_asks_the_prompt_and_the_picture_and_nothing_else(
    plotchain: Small, tmp_path: Path
) -> None:
    file = task_folder(plotchain, tmp_path / "task")
    seen: list[Any] = []

    def answer(messages: list[Any], *_: Any) -> Any:
        seen.append(messages)
        return said("{}")

    from inspect_ai.model import get_model

    run(file, get_model("mockllm/model", custom_outputs=answer), tmp_path)
    for messages, item in zip(seen, plotchain.items, strict=True):
        (message,) = messages
        text, picture = message.content
        assert (message.role, text.text) == ("user", item.prompt)
        assert bytes_of(picture.image) == plotchain.pictures[item.id].read_bytes()


def bytes_of(image: str) -> bytes:
    import base64

    if image.startswith("data:"):
        return base64.b64decode(image.partition(",")[2])
    return Path(image).read_bytes()


def test_a_log_comes_back_as_the_same_raw_texts(plotchain: Small, tmp_path: Path) -> None:
    file = task_folder(plotchain, tmp_path / "task")
    long = "Let me see. " * 400 + "Ω \u2028 " + json.dumps({"resonance_hz": 1.5})
    replies = plotchain.replies | {plotchain.items[2].id: long}
    lines = [
        {"id": item, "repeat": repeat, "raw_text": f"{text}{' ' * repeat}", "latency_s": 2.5,
         "model": "gpt", "usage": {"input_tokens": 11, "output_tokens": 7}}
        for item, text in replies.items() for repeat in (1, 2)
    ]  # fmt: skip
    raw = tmp_path / "raw.jsonl"
    raw.write_text("".join(json.dumps(line) + "\n" for line in lines))
    log = run(file, "none/none", tmp_path, task_args={"recorded": str(raw)}, epochs=2)
    out = tmp_path / "again.jsonl"
    ended = subprocess.run(
        [sys.executable, "-m", "plotchain_lib.exports.from_inspect", log.location, str(out)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert ended.stdout == f"{out}: 12 answers, 0 of them with an error\n"
    for item in plotchain.items:
        assert recorded.material(out, item) == recorded.material(raw, item)


def test_the_ends_of_calls_are_told_apart(plotchain: Small, tmp_path: Path) -> None:
    file = task_folder(plotchain, tmp_path / "task")
    whole = json.dumps(dict(plotchain.items[0].truth))
    cut, blocked = said(whole, stop_reason="max_tokens"), said("", stop_reason="content_filter")
    log = run(file, mock([cut, blocked, said(whole), said(""), said("x"), said("y")]), tmp_path)
    records = {r["id"]: r for r in from_inspect.read_log(Path(log.location))}
    first, second, third, fourth, *_ = (item.id for item in plotchain.items)
    assert records[first]["error"] == "truncated: max_tokens"
    assert scores(log, ["plotread"])["plotread"][first] == (0.0, 0.0)
    assert records[second]["error"] == "blocked: content_filter"
    assert records[third]["usage"] == {"input_tokens": 105, "output_tokens": 3}
    assert records[third]["cost_usd"] == 0.25
    assert (records[fourth]["raw_text"], records[fourth]["error"]) == ("", None)
    out = tmp_path / "out.jsonl"
    from_inspect.write_recorded(out, records.values())
    recorded.check_source(out)
    assert recorded.material(out, plotchain.items[0]) is not None


def test_recorded_errors_are_no_answers_there_either(plotchain: Small, tmp_path: Path) -> None:
    file = task_folder(plotchain, tmp_path / "task")
    raw = plotchain.record(tmp_path / "raw.jsonl", error="truncated: at the limit")
    ours = plotchain.judged(raw, tmp_path / "responses")
    log = run(file, "none/none", tmp_path, task_args={"recorded": str(raw)})
    assert scores(log, list(ours)) == ours
    assert {v for items in ours.values() for pair in items.values() for v in pair} == {0.0}
    records = from_inspect.read_log(Path(log.location))
    assert {record["error"] for record in records} == {"truncated: at the limit"}


def test_a_failed_sample_is_an_error(plotchain: Small, tmp_path: Path) -> None:
    file = task_folder(plotchain, tmp_path / "task")
    gone = small_without(plotchain, tmp_path / "raw.jsonl", plotchain.items[0])
    log = run(file, "none/none", tmp_path, task_args={"recorded": str(gone)}, fail_on_error=False)
    records = {r["id"]: r for r in from_inspect.read_log(Path(log.location))}
    error = records[plotchain.items[0].id]["error"]
    assert error.startswith("rejected: ") and "no record of repeat 1" in error


def small_without(small: Small, path: Path, item: Item) -> Path:
    lines = small.record(path).read_text().splitlines(keepends=True)
    path.write_text("".join(line for line in lines if f'"{item.id}"' not in line))
    return path


def test_bad_logs_are_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(PlotChainError, match=r"gone\.eval: there is no such log"):
        from_inspect.read_log(tmp_path / "gone.eval")
    for name, data in (
        ("a.eval", b"not a log"),
        ("b.json", b"{}"),
        ("c.txt", b"x"),
        ("d.eval", b""),
    ):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(PlotChainError, match=f"{name}: not a whole log of Inspect") as caught:
            from_inspect.read_log(tmp_path / name)
        assert "\n" not in str(caught.value)
    with pytest.raises(SystemExit) as ended:
        from_inspect.main([str(tmp_path / "a.eval"), str(tmp_path / "out.jsonl")])
    assert str(ended.value).startswith("plotchain: ")
    assert not (tmp_path / "out.jsonl").exists()


def test_without_inspect_the_import_says_how_to_get_it(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['inspect_ai'] = None; sys.modules['inspect_ai.log'] = None\n"
        "from plotchain_lib.exports.from_inspect import main; main(['a.eval', 'b.jsonl'])"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 1
    assert ended.stderr == (
        "plotchain: Inspect is not installed; add it with: pip install 'plotchain[exports]'\n"
    )


def test_a_policy_that_is_not_there_is_named(plotchain: Small, tmp_path: Path) -> None:
    file = task_folder(plotchain, tmp_path / "task")
    with pytest.raises(PlotChainError, match="no policy 'lax' here; choose from plotread, strict"):
        inspect_ai.eval(
            os.path.relpath(file),
            model="mockllm/model",
            task_args={"policies": "lax"},
            display="none",
        )
    with pytest.raises(PlotChainError, match="every policy asks a model"):
        write_task(tmp_path / "none", "small", plotchain.items, plotchain.pictures, {})
    assert not (tmp_path / "none").exists()
