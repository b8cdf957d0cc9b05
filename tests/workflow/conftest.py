"""A finished run, made once for all test processes, and copies of it."""

from __future__ import annotations

import fcntl
import os
import shutil
from pathlib import Path

import pytest
from clone import Workspace, new_workspace


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A workspace with a finished run; tests copy it, none changes it."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    with (shared / "built.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        folder, done = shared / "built" / "clone", shared / "built" / "done"
        if not done.exists():
            shutil.rmtree(folder, ignore_errors=True)  # of a build that failed
            new_workspace(folder).build()
            done.touch()
    return Workspace(folder)


@pytest.fixture
def workspace(built: Workspace, tmp_path: Path) -> Workspace:
    """A copy of the finished run, modification times kept."""
    shutil.copytree(built.folder, tmp_path / "clone", symlinks=True)
    return Workspace(tmp_path / "clone")
