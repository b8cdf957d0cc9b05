"""Matplotlib's list of fonts, prepared once: to make it takes longer than to draw.

It is made inside the sandbox it is for, because it holds the paths of the fonts seen there.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

from plotchain_lib.files import write_atomically
from plotchain_lib.suites.matplotgym.sandbox import Runs, open_sandbox
from plotchain_lib.suites.matplotgym.watch import Limits

_MAKE = """
import os, pathlib, shutil
import matplotlib, matplotlib.font_manager
for path in pathlib.Path(matplotlib.get_cachedir()).glob("fontlist*.json"):
    shutil.copy(path, path.name)
"""


def prepared(folder: Path | None = None, *, unsealed: bool = False) -> Path | None:
    """The list, from `folder` or made there; None where it cannot be made (drawing does, then).

    Raises PlotChainError as `open_sandbox` does.
    """
    runs = open_sandbox(unsealed=unsealed)
    place = (folder or _default_folder()) / _name(runs)
    with suppress(OSError, StopIteration):
        return next(place.glob("fontlist*.json"))
    with tempfile.TemporaryDirectory(prefix="work-", ignore_cleanup_errors=True) as workspace:
        runs([sys.executable, "-c", _MAKE], Path(workspace), Limits())
        for path in Path(workspace).glob("fontlist*.json"):
            if path.is_file() and not path.is_symlink():
                with suppress(OSError):
                    write_atomically(place / path.name, path.read_bytes())
                    return place / path.name
    return None


def _default_folder() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "plotchain"


def _name(runs: Runs) -> str:
    """New where Matplotlib, the interpreter or the system's fonts are others."""
    fonts = [Path("/usr/share/fonts"), Path("/usr/local/share/fonts")]
    times = [path.stat().st_mtime_ns for path in fonts if path.is_dir()]
    text = f"{version('matplotlib')} {sys.prefix} {runs.sealed} {times}"
    return f"fonts-{hashlib.sha256(text.encode()).hexdigest()[:16]}"
