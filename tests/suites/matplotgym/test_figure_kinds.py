"""Every kind of figure → its spec."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import kinds_libraries
import kinds_matplotlib
from figure_kinds import Kind, brief, spec_of

TABLE = [*kinds_matplotlib.KINDS, *kinds_libraries.KINDS]


def test_the_table_is_long() -> None:
    assert len(TABLE) >= 60
    assert len({name for name, _, _ in TABLE}) == len(TABLE)


@pytest.mark.parametrize("kind", TABLE, ids=[name for name, _, _ in TABLE])
def test_spec_of(kind: Kind) -> None:
    _, draw, expected = kind
    assert brief(spec_of(draw)) == expected
