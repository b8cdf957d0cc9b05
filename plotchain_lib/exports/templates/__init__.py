"""Modules that are written into an export, filled with the dataset's name and policies."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from plotchain_lib.item import PlotChainError

_LABEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def filled(template: str, name: str, policies: Iterable[str]) -> str:
    """The source of a module. Raises PlotChainError for no policy, or a name that is no label."""
    names = list(policies)
    if not names:
        raise PlotChainError(
            f"{name}: every policy asks a model to read the replies; list another under suites"
        )
    for label in (name, *names):
        if not _LABEL.fullmatch(label):
            raise PlotChainError(f"{label!r} is no label; use letters, digits, '.', '_', '-'")
    source = Path(__file__).with_name(template).read_text(encoding="utf-8")
    listed = ", ".join(f'"{policy}"' for policy in names)
    return source.replace('"@POLICIES@"', listed).replace("@NAME@", name)
