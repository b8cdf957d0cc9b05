"""Sandboxes and workspaces; what needs bubblewrap is skipped where it does not work."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from plotchain_lib.suites.matplotgym import fonts
from plotchain_lib.suites.matplotgym.sandbox import Runs, open_sandbox, sealing_problem
from plotchain_lib.suites.matplotgym.workspace import empty


@pytest.fixture(scope="session")
def sealed() -> Runs:
    """The agent's sandbox."""
    if problem := sealing_problem():
        pytest.skip(f"bubblewrap {problem}")
    return open_sandbox(fonts=fonts.prepared())


@pytest.fixture(scope="session")
def scoring() -> Runs:
    """The scorer's sandbox."""
    if problem := sealing_problem():
        pytest.skip(f"bubblewrap {problem}")
    return open_sandbox(scoring=True, fonts=fonts.prepared())


@pytest.fixture
def workspace() -> Iterator[Path]:
    """An empty one, where an unprivileged user can go (pytest's own are the user's alone)."""
    with tempfile.TemporaryDirectory(prefix="work-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)
        empty(Path(folder))
