"""Work in a process beside: its result comes back, and so does what it raises."""

from __future__ import annotations

import os
import sys

import pytest

from plotchain_lib.item import PlotChainError
from plotchain_lib.report.beside import beside


@pytest.mark.skipif(sys.platform != "linux", reason="forks on Linux only")
def test_the_work_is_done_elsewhere_and_its_result_comes_back() -> None:
    result = beside(lambda: ("x" * 3_000_000, os.getpid()))
    text, process = result()
    assert len(text) == 3_000_000
    assert process != os.getpid()


def test_what_it_raises_is_raised_here() -> None:
    def fail() -> None:
        raise PlotChainError("one line")

    with pytest.raises(PlotChainError, match="one line"):
        beside(fail)()


@pytest.mark.skipif(sys.platform != "linux", reason="forks on Linux only")
def test_a_killed_worker_is_told() -> None:
    with pytest.raises(RuntimeError, match="exit code 3"):
        beside(lambda: os._exit(3))()
