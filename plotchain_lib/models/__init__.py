"""Who answers: one module (or folder) a kind of model.

A *local* model answers here, from the request alone, through `LocalModel`. (A provider over HTTP
will be pure functions instead: request to HTTP body, reply to Response, failure to what to do.)

Kinds are the names found in this folder, and in the one more folder PLOTCHAIN_MODELS may name, so
that a model of one's own needs no change here. Listing them imports none of them.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, cast

from plotchain_lib.item import Item, PlotChainError, Request, Response

if _extra := os.environ.get("PLOTCHAIN_MODELS"):
    __path__.append(_extra)


class LocalModel(Protocol):
    """What a local model's module supplies.

    Attributes:
        sees_picture: whether the picture's bytes belong into its requests.
        runs_in_pool: whether answering is work enough for a process of the broker's pool.
    """

    sees_picture: bool
    runs_in_pool: bool

    def check(self, settings: Mapping[str, Any]) -> None:
        """Raise PlotChainError where settings are missing, unknown or out of range."""

    def material(self, source: Path, item: Item) -> Mapping[str, Any] | None:
        """What the model answers this item from; None where `source` has nothing on it."""

    def answer(self, request: Request) -> Response:
        """The response: a pure function of the request."""


def _kind_paths() -> dict[str, Path]:
    found: dict[str, Path] = {}
    for folder in __path__:
        for path in sorted(Path(folder).iterdir()):
            is_module = path.suffix == ".py" or (path / "__init__.py").is_file()
            if is_module and not path.name.startswith(("_", ".")):
                found.setdefault(path.stem, path)
    return found


KINDS: tuple[str, ...] = tuple(sorted(_kind_paths()))


def load(kind: str) -> LocalModel:
    """The module of one kind. Raises PlotChainError naming the known kinds."""
    if kind not in KINDS:
        raise PlotChainError(f"no model is of kind '{kind}'; known are {', '.join(KINDS)}")
    return cast(LocalModel, import_module(f"{__name__}.{kind}"))


def is_remote(kind: str) -> bool:
    """Whether a kind is a provider, asked over HTTP (see `plotchain_lib.wire`)."""
    module = load(kind)
    return hasattr(module, "call") and hasattr(module, "read")


def can_answer(kind: str, what: str) -> bool:
    """Whether a kind answers items of this sort, a ``question`` or an ``episode``.

    A module says so by its attribute ``answers``; without it a provider answers both, and a local
    model questions.
    """
    sorts = ("question", "episode") if is_remote(kind) else ("question",)
    return what in getattr(load(kind), "answers", sorts)


def code_path(kind: str) -> Path:
    """The file or folder that holds a kind's code and data."""
    return _kind_paths()[kind]


def check_names(settings: Mapping[str, Any], required: set[str], optional: set[str]) -> None:
    """Raise PlotChainError where a setting is missing or not among those a kind knows."""
    kind = settings.get("kind", "?")
    if missing := sorted(required - settings.keys()):
        raise PlotChainError(f"a model of kind '{kind}' needs the setting '{missing[0]}'; add it")
    if unknown := sorted(settings.keys() - required - optional - {"kind"}):
        known = ", ".join(sorted(required | optional)) or "none"
        close = difflib.get_close_matches(unknown[0], sorted(required | optional), n=1)
        mend = f"did you mean '{close[0]}'?" if close else "remove it"
        raise PlotChainError(
            f"a model of kind '{kind}' has no setting '{unknown[0]}' (known: {known}); {mend}"
        )
