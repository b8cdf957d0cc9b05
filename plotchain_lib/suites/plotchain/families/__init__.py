"""The families: one file each, found by looking into this folder."""

from __future__ import annotations

import importlib
from pathlib import Path

from plotchain_lib.item import PlotChainError
from plotchain_lib.suites.plotchain.family import Family


def names() -> list[str]:
    """The names of all families, sorted; imports none of them."""
    return sorted(p.stem for p in Path(__file__).parent.glob("*.py") if p.stem != "__init__")


def load(name: str) -> Family:
    """The family of this name. Raises PlotChainError for an unknown one."""
    if name not in names():
        raise PlotChainError(f"unknown family {name!r}; known are: {', '.join(names())}")
    family = importlib.import_module(f"{__name__}.{name}").FAMILY
    assert isinstance(family, Family)
    if family.name != name:
        raise PlotChainError(
            f"{Path(__file__).with_name(name)}.py: the family calls itself {family.name!r}; "
            f"give it the file's name: NAME = {name!r}"
        )
    return family
