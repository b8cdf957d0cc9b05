"""Episodes in the item browser: per item, model and attempt the figure, the script and the turns.

A response's text is an episode's whole record, as JSON. What the page shows of it is cut so that
the page stays within a size that opens everywhere; what is cut says how much is left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plotchain_lib.files import read_json_lines
from plotchain_lib.item import Item, PlotChainError
from plotchain_lib.report.browser_inputs import BrowserInputs
from plotchain_lib.report.inputs import Dataset
from plotchain_lib.report.item_data import Verdicts
from plotchain_lib.report.item_figures import fitted, size_of
from plotchain_lib.report.packing import in_base64, pack, script_json
from plotchain_lib.report.reading import read_parquet

EPISODE_COLUMNS = ("item", "repeat", "script_sha256", "answer_tokens", "drew_unsubmitted")
SUBMISSION_COLUMNS = ("item", "script_sha256", "failure", "reason", "sealed", "webp")
MOST_TEXT = 12_500_000  # bytes in the page of all transcripts together
MOST_FIGURES = 9_000_000  # and of all submitted figures; a page of both stays below 25 MB
_LONGEST_LINE = 500  # characters of what is one line
_MOST_FLAGS = 20  # of one turn

Cut = tuple[str, int, str]
Call = tuple[str, str, int]  # model, item, repeat


@dataclass(frozen=True, slots=True)
class Longest:
    """How many bytes of one text the page shows at most."""

    reply: int
    output: int
    script: int


# Tried one after the other until all transcripts fit.
LENGTHS = tuple(
    Longest(bytes_shown, bytes_shown, 4 * bytes_shown)
    for bytes_shown in (4096, 3072, 2304, 1728, 1296, 972, 729, 512, 256)
)


@dataclass(frozen=True)
class Episodes:
    """The episodes of one dataset.

    Attributes:
        records: call to the episode's record; a call without one is left out.
        errors: call to why it brought none.
        rows: call to its row of the table of episodes.
        drawn: item and script's SHA-256 to its row of the table of submissions.
    """

    records: Mapping[Call, Mapping[str, Any]]
    errors: Mapping[Call, str]
    rows: Mapping[Call, Mapping[str, Any]]
    drawn: Mapping[tuple[str, str], Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class _Part:
    """One shard of one dataset."""

    dataset: Dataset
    verdicts: Verdicts
    episodes: Episodes
    shard: str

    @property
    def items(self) -> Sequence[Item]:
        places = self.verdicts.shards[self.shard]
        return self.verdicts.items[places.start : places.stop]


def read_episodes(inputs: BrowserInputs) -> Episodes:
    """Read a dataset's episodes. Raises PlotChainError for a file that is not what it should be."""
    records: dict[Call, Mapping[str, Any]] = {}
    errors: dict[Call, str] = {}
    for model, path in inputs.replies.items():
        for call, text, error in _raw_answers(model, path):
            if text:
                records[call] = _record(text, path)
            if error:
                errors[call] = error
    rows = {
        (model, row["item"], int(row["repeat"])): row
        for model, path in inputs.episodes.items()
        for row in read_parquet(path, EPISODE_COLUMNS)[list(EPISODE_COLUMNS)].to_dict("records")
    }
    drawn = {
        (row["item"], row["script_sha256"]): row
        for path in inputs.submissions.values()
        for row in read_parquet(path, SUBMISSION_COLUMNS).to_dict("records")
    }
    return Episodes(records, errors, rows, drawn)  # type: ignore[arg-type]


def _raw_answers(model: str, path: Path) -> Iterator[tuple[Call, str, str]]:
    for line in read_json_lines(path):
        try:
            call = model, str(line["id"]), int(line.get("repeat", 1))
            yield call, str(line["raw_text"] or ""), str(line["error"] or "")
        except (KeyError, TypeError, ValueError) as problem:
            raise PlotChainError(
                f"{path}: not a file of raw answers ({problem}); delete it and run again"
            ) from problem


def _record(text: str, path: Path) -> Mapping[str, Any]:
    try:
        record = json.loads(text)
        _ = [turn["reply"]["text"] for turn in record["turns"]], record["submission"]
    except (ValueError, KeyError, TypeError) as problem:
        raise PlotChainError(
            f"{path}: a raw answer is no episode's record ({problem}); delete it and run again"
        ) from problem
    return dict(record)


def episode_blobs(shown: Iterable[tuple[int, Dataset, Verdicts, Episodes]]) -> dict[str, str]:
    """The data elements of all datasets with episodes, by id.

    ``items-episodes-{dataset}-{shard}`` holds the packed texts, ``items-figures-{dataset}-{shard}``
    a list of submitted figures ``[width, height, WebP in base64]``; both with the places of dataset
    and shard in the index. Texts are cut to LENGTHS, figures reduced, until they keep within
    MOST_TEXT and MOST_FIGURES.
    """
    parts = {
        f"{place}-{number}": _Part(dataset, verdicts, episodes, shard)
        for place, dataset, verdicts, episodes in shown
        for number, shard in enumerate(verdicts.shards)
    }
    if not parts:
        return {}
    found: dict[str, str] = {}
    figures = {key: _figures_of(part) for key, part in parts.items()}
    for longest in LENGTHS:
        found = {
            f"items-episodes-{key}": pack(_shard(part, list(figures[key]), longest))
            for key, part in parts.items()
        }
        if sum(map(len, found.values())) <= MOST_TEXT:
            break
    every = [webp for own in figures.values() for webp in own.values()]
    small = dict(zip(every, fitted(every, MOST_FIGURES * 3 // 4), strict=True))  # base64: 4 for 3
    for key, own in figures.items():
        shown_here = [(*size_of(webp), in_base64(small[webp])) for webp in own.values()]
        found[f"items-figures-{key}"] = script_json(shown_here)
    return found


def _figures_of(part: _Part) -> dict[tuple[str, str], bytes]:
    """Item and script to the figure it drew, each once, for the calls of one shard."""
    episodes = part.episodes
    inside = {item.id for item in part.items}
    asked = {(c[1], str(row["script_sha256"])) for c, row in episodes.rows.items()}
    chosen = sorted(key for key in asked if key[0] in inside and key in episodes.drawn)
    return {key: data for key in chosen if (data := bytes(episodes.drawn[key]["webp"] or b""))}


def _shard(part: _Part, figures: Sequence[tuple[str, str]], longest: Longest) -> dict[str, Any]:
    items, verdicts, episodes = part.items, part.verdicts, part.episodes
    calls = [(m, r) for m in verdicts.models for r in range(1, verdicts.repeats + 1)]
    judged = _judged(part.dataset, {item.id for item in items})
    return {
        "titles": [str(item.params.get("title", "")) for item in items],
        "claims": [str(item.params.get("claim", "")) for item in items],
        "reviews": [str(item.params.get("review", "")) for item in items],
        "runs": [
            [
                {
                    **judged.get((model, item.id, repeat), {"score": None, "lost": {}}),
                    "error": episodes.errors.get((model, item.id, repeat), ""),
                    "episode": _episode((model, item.id, repeat), episodes, figures, longest),
                }
                for model, repeat in calls
            ]
            for item in items
        ],
    }


def _judged(dataset: Dataset, items: set[str]) -> dict[Call, dict[str, Any]]:
    """Each call's score, and what each field lost points for."""
    frame = dataset.verdicts[dataset.verdicts["item"].isin(items)]
    wanted = ("model", "item", "repeat", "field", "item_score", "lost")
    if not set(wanted) <= set(frame.columns):
        return {}
    found: dict[Call, dict[str, Any]] = {}
    for model, item, repeat, field, score, lost in zip(*(frame[n] for n in wanted), strict=True):
        judged = found.setdefault((model, item, int(repeat)), {"score": float(score), "lost": {}})
        if lost:
            judged["lost"][field] = lost
    return found


def _episode(
    call: Call, episodes: Episodes, figures: Sequence[tuple[str, str]], longest: Longest
) -> dict[str, Any] | None:
    record, row = episodes.records.get(call), episodes.rows.get(call, {})
    if record is None:
        return None
    key = call[1], str(row.get("script_sha256", ""))
    drawn = episodes.drawn.get(key, {})
    script = record["submission"]
    flags = _flags(record, json.loads(row.get("answer_tokens", "[]")))
    return {
        "end": record["end"],
        "reason": _line(record["reason"]),
        "reminded": bool(record["reminded"]),
        "sealed": bool(record["sealed"]) and bool(drawn.get("sealed", True)),
        "failure": "nothing submitted" if script is None else str(drawn.get("failure", "")),
        "why": _line(drawn.get("reason", "")),
        "drew": bool(row.get("drew_unsubmitted")),
        "figure": figures.index(key) if key in figures else None,
        "script": None if script is None else _cut(script, longest.script),
        "tampering": [_line(line) for line in record.get("tampering", [])[:_MOST_FLAGS]],
        "before": flags.get(0, []),
        "turns": [_turn(turn, flags, longest) for turn in record["turns"]],
    }


def _turn(
    turn: Mapping[str, Any], flags: Mapping[int, list[str]], longest: Longest
) -> dict[str, Any]:
    kind, said = str(turn["kind"]), str(turn.get("told", ""))
    output = turn.get("output")
    return {
        "kind": kind,
        "path": _line(turn.get("path", "")),
        "reply": _cut(str(turn["reply"]["text"]), longest.reply),
        "outcome": _line(turn["reply"].get("outcome", "answered")),
        "output": None if output is None else _cut(str(output), longest.output),
        "code": turn.get("code"),
        "stopped": _line(turn.get("stopped") or ""),
        "seconds": turn.get("seconds"),
        "note": _line(turn.get("note", "")),
        "told": _line(said.split("\n\n")[0]) if kind == "write" else "",
        "reminder": bool(turn.get("reminder")),
        "flags": flags.get(int(turn["turn"]), []),
    }


def _flags(record: Mapping[str, Any], shown: Sequence[Mapping[str, Any]]) -> dict[int, list[str]]:
    """Turn to what in it reached beyond the workspace, or showed an answer; 0 is the prompt."""
    found: dict[int, list[str]] = {}
    lines = [
        *((a["turn"], f"outside the workspace ({a['kind']}, {a['place']}): {a['evidence']}")
          for a in record.get("outside", [])),
        *((s["turn"], f"answer token shown ({s['place']}): {s['token']}") for s in shown),
    ]  # fmt: skip
    for turn, line in lines:
        own = found.setdefault(int(turn), [])
        if len(own) < _MOST_FLAGS:
            own.append(_line(line))
    return found


def _line(value: object) -> str:
    text = str(value)
    return text if len(text) <= _LONGEST_LINE else f"{text[:_LONGEST_LINE]}…"


def _cut(text: str, most: int) -> Cut:
    """A text's start, how many bytes are left out, and its end: errors stand at the end."""
    data = text.encode("utf-8", "replace")
    if len(data) <= most:
        return data.decode("utf-8"), 0, ""
    head = data[: most // 2].decode("utf-8", "ignore")
    tail = data[-(most - most // 2) :].decode("utf-8", "ignore")
    return head, len(data) - len(head.encode()) - len(tail.encode()), tail
