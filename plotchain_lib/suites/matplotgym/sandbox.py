"""Where an agent's commands run: in bubblewrap, or unsealed where the configuration allows it.

`open_sandbox` gives a callable that runs one command in a workspace and says how it ended. What is
seen inside is the workspace, the system's programs and this very interpreter with its libraries,
so that a script that works for the agent works for the scorer. The library itself and its tasks
are not there; a scoring sandbox shows the library, still without the tasks.
"""

from __future__ import annotations

import os
import platform
import queue
import secrets
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Protocol

import psutil

from plotchain_lib.item import NotNowError, PlotChainError
from plotchain_lib.suites.matplotgym.bubblewrap import (
    FONTS,
    SYSTEM,
    View,
    command_line,
    interpreter,
)
from plotchain_lib.suites.matplotgym.descriptors import First, kept_apart, pipe
from plotchain_lib.suites.matplotgym.watch import Limits, Result, watched
from plotchain_lib.suites.matplotgym.workspace import hand_over

LIBRARY = Path(__file__).resolve().parents[2]
TASKS = Path(__file__).resolve().parent / "tasks"
MISSING = (
    "bubblewrap (bwrap) {why}, and without it an agent's commands could read the answers; install "
    "it, or set 'unsealed: true' in the config and have the results marked so"
)
LIMITS = Limits()
_MARK = "SANDBOX_MARK"
# One thread for a library that would start one for each of the machine's cores.
_ONE_THREAD = ("OMP", "OPENBLAS", "MKL", "NUMEXPR")
_KERNEL_COUNTS_APART = (5, 14)  # from this Linux on, each user namespace counts its processes


class Runs(Protocol):
    """A sandbox: runs one command in a workspace.

    Attributes:
        sealed: whether its commands are kept from everything else.
    """

    sealed: bool

    def __call__(self, command: Sequence[str], workspace: Path, limits: Limits = ...) -> Result:
        """Run a command to its end or its first limit."""


# As many commands at once as there are cores: a limit of time means little on a crowded machine.
_slots: queue.SimpleQueue[int] = queue.SimpleQueue()
for _slot in range(min(64, os.cpu_count() or 1)):
    _slots.put(_slot)


@contextmanager
def _slot_taken() -> Iterator[int]:
    slot = _slots.get()
    try:
        yield slot
    finally:
        _slots.put(slot)


def open_sandbox(
    *,
    unsealed: bool = False,
    scoring: bool = False,
    fonts: Path | None = None,
    hidden: tuple[Path, ...] = (),
    shown: tuple[Path, ...] | None = None,
) -> Runs:
    """A sandbox.

    Args:
        unsealed: where bubblewrap is missing, run without it and mark every result.
        scoring: show the library, for the program that reads a figure.
        fonts: Matplotlib's list of fonts, from `fonts.prepared`.
        hidden: folders that are empty inside, should they lie in what is shown.
        shown: the folders of another interpreter, to be seen instead of this one's.

    Raises NotNowError where bubblewrap is missing or does not work, unless `unsealed`.
    """
    shown = interpreter() if shown is None else shown
    problem = sealing_problem()
    if not problem:
        _refuse_what_is_shown()
        program = shutil.which("bwrap") or "bwrap"
        library = (LIBRARY,) if scoring else ()
        kept = (*hidden, TASKS if scoring else LIBRARY)
        return Sealed(program, View((*shown, *library), kept, fonts), scoring)
    if not unsealed:
        raise NotNowError(MISSING.format(why=problem))
    if os.geteuid() == 0 and (closed := _closed_to_others(shown)):
        raise PlotChainError(
            f"unsealed as root, commands run as a user who cannot enter {closed}, where the "
            "interpreter lies; run as an ordinary user"
        )
    return Unsealed(scoring, fonts)


def _refuse_what_is_shown() -> None:
    """Raise where the system's folders, which are shown whole, hold the results or the tasks."""
    for path in (Path.cwd().resolve(), LIBRARY):
        installed = any(part.endswith("-packages") for part in path.parts)
        if not installed and any(path.is_relative_to(place) for place in SYSTEM):
            raise PlotChainError(f"{path}: a sandbox shows this folder; move the project elsewhere")


def _closed_to_others(paths: Sequence[Path]) -> Path | None:
    """The first folder on the way to these that not everybody can enter."""
    ways = {parent for path in paths for parent in (path, *path.parents)}
    return next((way for way in sorted(ways) if not way.stat().st_mode & 0o001), None)


@lru_cache(maxsize=1)
def sealing_problem() -> str:
    """Why nothing can be sealed here; empty where it can. Tried once a process."""
    program = shutil.which("bwrap")
    if program is None:
        return "is missing"
    if os.geteuid() == 0 and shutil.which("setpriv") is None:
        return "needs setpriv (util-linux) to drop from root, which is missing"
    with tempfile.TemporaryDirectory(prefix="work-") as folder:
        tried = Sealed(program, View(interpreter()))(["true"], Path(folder))
    if tried.code == 0 and not tried.stopped:
        return ""
    return f"does not work here ({' '.join(tried.output.split())[:200] or tried.stopped})"


@dataclass(frozen=True, slots=True)
class Sealed:
    """Runs commands in bubblewrap."""

    program: str
    view: View
    scoring: bool = False
    sealed = True

    def __call__(self, command: Sequence[str], workspace: Path, limits: Limits = LIMITS) -> Result:
        """Run one command; the workspace is handed over to the user it runs under."""
        with _slot_taken() as slot, pipe() as (told, info):
            user = _user(slot)
            if user is not None:
                hand_over(workspace, user)
            limited = _limited(command, limits, _processes(limits, apart=True))
            line = command_line(self.program, limited, self.view, workspace.resolve(), user, info)
            variables = _environment(FONTS, "/tmp", self.scoring)  # noqa: S108 - inside
            left = First(told).left
            with kept_apart(line) as (short, options):
                passed = [info, options]
                return watched(short, variables, workspace, limits, strays=left, passed=passed)


@dataclass(frozen=True, slots=True)
class Unsealed:
    """Runs commands with limits and a clean environment, and nothing that keeps them in."""

    scoring: bool = False
    fonts: Path | None = None
    sealed = False

    def __call__(self, command: Sequence[str], workspace: Path, limits: Limits = LIMITS) -> Result:
        """Run one command; what it leaves running is found by a mark in its environment."""
        mark = secrets.token_hex(16)
        with (
            _slot_taken() as slot,
            tempfile.TemporaryDirectory(prefix="work-", ignore_cleanup_errors=True) as home,
        ):
            user = _user(slot)
            if self.fonts is not None:
                shutil.copy(self.fonts, home)
            if user is not None:
                hand_over(workspace, user)
                hand_over(Path(home), user)
            limited = _limited(command, limits, _processes(limits, apart=user is not None))
            variables = {**_environment(home, home, self.scoring), _MARK: mark}
            return watched(
                limited, variables, workspace, limits,
                user=user, sealed=False, strays=partial(_marked, mark),
            )  # fmt: skip


def _user(slot: int) -> int | None:
    """An id that nobody has, one for each command that runs at once; None where not root.

    The kernel counts processes by user: two commands of one id would take each other's room.
    """
    if os.geteuid() != 0:
        return None
    last = 2**31
    with suppress(OSError, ValueError, IndexError):  # inside a container, few ids may exist
        first, _, count = Path("/proc/self/uid_map").read_text().splitlines()[-1].split()
        last = int(first) + int(count) - 1
    offset = os.getpid() % 2**22 * 64 + slot
    return 2**30 + offset if last >= 2**31 - 1 else 10_000 + offset % max(1, last - 10_000)


def _processes(limits: Limits, apart: bool) -> int:
    """The limit of processes, with those of this user on top where the kernel counts them too."""
    if apart and (os.geteuid() == 0 or _kernel() >= _KERNEL_COUNTS_APART):
        return limits.processes
    mine, own = 0, os.getuid()
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            mine += process.num_threads() if process.uids().real == own else 0
    return limits.processes + mine


def _kernel() -> tuple[int, ...]:
    parts = platform.release().split("-")[0].split(".")
    return tuple(int(part) for part in parts[:2] if part.isdigit())


def _limited(command: Sequence[str], limits: Limits, processes: int) -> list[str]:
    """The command behind the limits that the kernel keeps: set last, inside all namespaces."""
    settings = {
        "c": 0, "n": 512, "f": limits.file_bytes // 1024, "v": limits.memory_bytes // 1024,
        "u": processes,
    }  # fmt: skip
    script = "; ".join(f"ulimit -{name} {value} 2>/dev/null" for name, value in settings.items())
    return ["/bin/bash", "-c", f'{script}; exec "$@"', "sandbox", *command]


def _environment(fonts: str, home: str, scoring: bool) -> Mapping[str, str]:
    """All variables of a command: none is inherited."""
    folder = Path(sys.executable).parent
    return {
        "PATH": f"{folder}:/usr/local/bin:/usr/bin:/bin",
        "HOME": home,
        "TMPDIR": home,
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "MPLBACKEND": "Agg",
        "MPLCONFIGDIR": fonts,
        "PYTHONHASHSEED": "0",
        "PYTHONNOUSERSITE": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        **{f"{name}_NUM_THREADS": "1" for name in _ONE_THREAD},
        **({"PYTHONPATH": str(LIBRARY.parent)} if scoring else {}),
    }


def _marked(mark: str) -> Iterator[psutil.Process]:
    """The processes that were started with this mark, and those they started."""
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if process.environ().get(_MARK) == mark and process.status() != psutil.STATUS_ZOMBIE:
                yield process
