"""PlotChain for lmms-eval: the row's own prompt and picture, judged as PlotChain does.

It needs the package `plotchain`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from plotchain_lib.exports.huggingface import item_of
from plotchain_lib.exports.judge import scores_of

POLICIES: tuple[str, ...] = ("@POLICIES@",)
_FILES = [Path(__file__).resolve().parent / "policies" / f"{name}.yaml" for name in POLICIES]


def doc_to_visual(doc: Mapping[str, Any]) -> list[Any]:
    """The picture."""
    return [doc["image"].convert("RGB")]


def doc_to_text(doc: Mapping[str, Any], lmms_eval_specific_kwargs: Any = None) -> str:
    """The prompt, and nothing added."""
    return str(doc["prompt"])


def process_results(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, float]:
    """One reply's scores: per policy all final fields passed, and the share of fields passed."""
    return scores_of(item_of(doc), results[0] if results else "", _FILES)
