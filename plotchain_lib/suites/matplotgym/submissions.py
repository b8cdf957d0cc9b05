"""Submitted scripts run once more: what each drew, as a table beside the responses.

A script is run in the scoring sandbox, in a fresh copy of its task's workspace. The same script for
the same task is run once, however many attempts submitted it: scoring is deterministic.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd
from PIL import Image, UnidentifiedImageError

from plotchain_lib.item import Item, PlotChainError
from plotchain_lib.suites.matplotgym import fonts
from plotchain_lib.suites.matplotgym.catalogue import task_of
from plotchain_lib.suites.matplotgym.sandbox import Runs, open_sandbox
from plotchain_lib.suites.matplotgym.submission import READER, Submitted, run_submission
from plotchain_lib.suites.matplotgym.workspace import digest, files_of

COLUMNS = ("item", "script_sha256", "spec", "failure", "reason", "sealed", "webp")
_WIDEST = 2000  # pixels; no picture of ours is larger
_QUALITY = 80


def scoring_sandbox(*, unsealed: bool) -> Runs:
    """Where scripts are run for scoring. Raises PlotChainError as `open_sandbox` does."""
    return open_sandbox(unsealed=unsealed, scoring=True, fonts=fonts.prepared(unsealed=unsealed))


def run_script(item: Item, script: str, runs: Runs) -> Submitted:
    """What a script draws for an item. Raises PlotChainError where its task has changed."""
    task = task_of(item)
    files = files_of(task.workspace)
    if digest(files) != item.params["workspace_sha256"]:
        raise PlotChainError(
            f"{task.workspace}: not the files item {item.id} was made from; run again"
        )
    return run_submission(files, script, READER, runs)


def script_digest(script: str) -> str:
    """The name under which a script stands in the table."""
    return hashlib.sha256(script.encode("utf-8", "replace")).hexdigest()


def record_of(text: str) -> Mapping[str, Any]:
    """An episode's record from a response's text. Raises PlotChainError where it is none."""
    try:
        record = json.loads(text)
        if not isinstance(record["submission"], str | None):
            raise TypeError("submission is no text")
    except (ValueError, KeyError, TypeError) as error:
        raise PlotChainError(
            f"a response is no episode's record ({error}); was a model asked that cannot play?"
        ) from error
    return dict(record)


def submission_table(
    responses: Iterable[Mapping[str, Any]], items: Iterable[Item], *, unsealed: bool
) -> pd.DataFrame:
    """Run every distinct script of some responses; columns COLUMNS, by item and script.

    Args:
        responses: records as the query stage writes them, of one model.
        items: the items that were asked.
        unsealed: whether scripts may be run without bubblewrap where it is missing.

    ``spec`` is JSON, empty where a ``failure`` says why there is none; ``webp`` holds the picture,
    empty where there is none. Raises PlotChainError for a response that is no episode's record.
    """
    known = {item.id: item for item in items}
    scripts: dict[tuple[str, str], str] = {}
    for response in responses:
        if response["outcome"] == "answered":
            script = record_of(response["text"])["submission"]
            if script is not None:
                scripts[response["item"], script_digest(script)] = script
    runs = scoring_sandbox(unsealed=unsealed) if scripts else None
    rows = []
    for (name, sha256), script in sorted(scripts.items()):
        assert runs is not None
        found = run_script(known[name], script, runs)
        spec = "" if found.spec is None else json.dumps(found.spec, sort_keys=True)
        rows.append((name, sha256, spec, found.failure, found.reason, found.sealed,
                     as_webp(found.picture)))  # fmt: skip
    frame = pd.DataFrame(rows, columns=list(COLUMNS))
    texts = dict.fromkeys(("item", "script_sha256", "spec", "failure", "reason"), "str")
    return frame.astype({**texts, "sealed": "bool", "webp": "object"})


def as_webp(picture: bytes | None) -> bytes:
    """A picture that a script may have written, decoded and encoded anew; empty if it is none."""
    if not picture:
        return b""
    try:
        with Image.open(io.BytesIO(picture), formats=["PNG"]) as opened:
            if max(opened.size) > _WIDEST:
                return b""
            pixels = opened.convert("RGBA")
    except (OSError, ValueError, SyntaxError, UnidentifiedImageError, Image.DecompressionBombError):
        return b""
    ground = Image.new("RGBA", pixels.size, "white")
    stream = io.BytesIO()
    whole = Image.alpha_composite(ground, pixels).convert("RGB")
    whole.save(stream, "WEBP", quality=_QUALITY, method=4)
    return stream.getvalue()
