"""The published release: ``grab.json`` with ``images/{pid}.png`` beside it.

The file is one object, pid to ``{"pid", "question", "answer", "category", "complexity", "task",
"image"}``. It has no property: that is told from what the question asks.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from plotchain_lib.item import Field, Item, PlotChainError
from plotchain_lib.suites.grab.answers import is_answer

ITEMS_FILE = "grab.json"
TASKS = ("properties", "function", "series", "transform")
_KEYS = ("question", "answer", "category", "complexity", "task")
_MEND = "take the file from its source again"
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
# What a question asks, the first that is found; the order tells the longer words from the shorter.
_PROPERTIES = tuple(
    (re.compile(pattern), name)
    for pattern, name in (
        (r"x-intercept", "x_intercept"), (r"y-intercept", "y_intercept"),
        (r"gradient", "gradient"), (r"two stationary", "stationary_points"),
        (r"stationary", "stationary_point"), (r"amplitude", "amplitude"), (r"period", "period"),
        (r"phase", "phase_shift"), (r"vertical shift", "vertical_shift"),
        (r"equation.*sin\(", "sine_equation"), (r"equation.*x\^4", "quartic_equation"),
        (r"equation.*x\^3", "cubic_equation"), (r"equation.*x\^2", "quadratic_equation"),
        (r"equation", "linear_equation"), (r"many points", "points"), (r"many series", "series"),
        (r"pearson", "pearson"), (r"spearman", "spearman"), (r"kendall", "kendall"),
        (r"net area", "net_area"), (r"total area", "total_area"), (r"peak", "peak"),
        (r"variance", "variance"), (r"median", "median"),
        (r"interquartile", "interquartile_range"), (r"domain length", "domain_length"),
        (r"range span", "range"), (r"maximum", "maximum"), (r"minimum", "minimum"),
        (r"(?:function|data) mean", "mean"),
    )
)  # fmt: skip
_OF_DATA = re.compile(r"of the data\?")
_PRECISIONS = (
    (re.compile(r"form y ="), "equation"), (re.compile(r"form \["), "pair"),
    (re.compile(r"nearest 10"), "nearest_ten"), (re.compile(r"1 decimal"), "one_decimal"),
    (re.compile(r"integer"), "integer"),
)  # fmt: skip


def release_ids(folder: Path) -> dict[str, str]:
    """Item id to shard, in the release's order. Raises PlotChainError as `read_release` does."""
    return {name: _shard(record) for name, record in _records(folder).items()}


def read_release(folder: Path) -> list[Item]:
    """All items of the release. Pictures are named, not opened: without them only models that do
    not look can answer.

    Raises PlotChainError of one line (file, item, remedy) for a file that is not the release's, a
    missing key, a question that asks for nothing known, and an answer of another precision.
    """
    items = []
    for name, record in _records(folder).items():
        place = f"{folder / ITEMS_FILE}: item {name}"
        question, answer = record["question"], record["answer"]
        precision, prop = precision_of(question), property_of(question, record["task"])
        if not precision or not prop:
            what = "precision" if prop else "property"
            raise PlotChainError(f"{place}: no {what} is known of its question; {_MEND}")
        if not is_answer(answer, precision):
            raise PlotChainError(
                f"{place}: {answer!r} is no answer of precision {precision}; {_MEND}"
            )
        items.append(_item(name, record, folder, prop, precision))
    return items


def picture(_shard: str, item: str) -> str:
    """Where an item's picture lies in the release's folder."""
    return f"images/{item}.png"


def property_of(question: str, task: str) -> str:
    """The property a released question asks for; empty where it is none of the suite's."""
    # The tasks of several functions or series ask for a mean of the property.
    asked = re.sub(r"^Estimate the mean ", "", question).lower().replace("\n", " ")
    found = next((name for pattern, name in _PROPERTIES if pattern.search(asked)), "")
    of_data = task == "properties" and _OF_DATA.search(asked)
    both = found in ("domain_length", "range", "maximum", "minimum")
    return f"data_{found}" if both and of_data else found


def precision_of(question: str) -> str:
    """The precision a released question asks for; empty where it names none."""
    return next((name for pattern, name in _PRECISIONS if pattern.search(question)), "")


def _short(category: str) -> str:
    return category.lower().replace(" ", "_")


def _shard(record: Mapping[str, Any]) -> str:
    return f"{record['task']}_{_short(record['category'])}"


def _item(name: str, record: Mapping[str, Any], folder: Path, prop: str, precision: str) -> Item:
    task, category = record["task"], _short(record["category"])
    shard = _shard(record)
    return Item(
        id=name, suite="grab", shard=shard, group=f"{task}/{category}/{prop}",
        prompt=record["question"], picture=(folder / picture(shard, name)).as_posix(),
        fields=(Field("answer", "", "", "final"),), truth={"answer": record["answer"]},
        params={"task": task, "category": category, "property": prop, "precision": precision,
                "complexity": record["complexity"]},
        seed=None, difficulty=str(record["complexity"]),
    )  # fmt: skip


def _records(folder: Path) -> dict[str, dict[str, Any]]:
    """Item id to record, every key there and of the right type."""
    path = folder / ITEMS_FILE
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise PlotChainError(
            f"{path}: cannot be read ({error.strerror}); check the dataset's 'release'"
        ) from error
    except ValueError as error:
        raise PlotChainError(f"{path}: not valid JSON ({error}); {_MEND}") from error
    if not isinstance(content, dict) or not content:
        raise PlotChainError(f"{path}: expected an object of items by pid; {_MEND}")
    for name, record in content.items():
        if problem := _problem(name, record):
            raise PlotChainError(f"{path}: item {name}: {problem}; {_MEND}")
    return content


def _problem(name: str, record: Any) -> str:
    if not _ID.fullmatch(name):
        return "the pid is no label"
    if not isinstance(record, dict):
        return "no object"
    if missing := [key for key in _KEYS if key not in record]:
        return f"{missing[0]} is missing"
    if wrong := [key for key in _KEYS if key != "complexity" and not isinstance(record[key], str)]:
        return f"{wrong[0]} is no text"
    if type(record["complexity"]) is not int or not 0 <= record["complexity"] <= 9:
        return f"complexity is {record['complexity']!r}, not 0 to 9"
    if record["task"] not in TASKS or not re.fullmatch(r"[A-Za-z ]{1,40}", record["category"]):
        return f"no task {record['task']!r} with a category {record['category']!r}"
    return ""


def two_fold_floor(items: Sequence[Item]) -> dict[str, Any]:
    """One shard of `floor.json`: each half of a group and precision gets the other half's answer.

    The guesser knows the task, the property and the precision, and says what is right most often;
    of several such the one that is first in the alphabet.
    """
    groups: dict[tuple[str, str], list[Item]] = {}
    for item in items:
        groups.setdefault((item.group, str(item.params["precision"])), []).append(item)
    folds = []
    for group in groups.values():
        halves = group[0::2], group[1::2]
        folds += [
            {"items": [item.id for item in half], "constants": {"answer": _most(other or half)}}
            for half, other in (halves, halves[::-1])
            if half
        ]
    return {"folds": folds}


def _most(items: Sequence[Item]) -> str:
    counts = Counter(str(item.truth["answer"]) for item in items)
    return min(counts, key=lambda answer: (-counts[answer], answer))
