"""A finished run, made once, and copies of it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from clone import Workspace, new_workspace


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A workspace with a finished run; tests copy it, none changes it."""
    workspace = new_workspace(tmp_path_factory.mktemp("built") / "clone")
    workspace.build()
    return workspace


@pytest.fixture
def workspace(built: Workspace, tmp_path: Path) -> Workspace:
    """A copy of the finished run, modification times kept."""
    shutil.copytree(built.folder, tmp_path / "clone", symlinks=True)
    return Workspace(tmp_path / "clone")
