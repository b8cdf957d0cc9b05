"""The command lines of bubblewrap, from what is to be seen. Pure but for looking at what exists.

Inside there is no network, no capability, a file system of nothing but what is named here, and of
that only the workspace, a small ``/tmp`` and ``/dev/shm`` can be written to.

A process that is root starts bubblewrap as root, so that it can show an interpreter that lies in
root's own home, and then drops to an id nobody else has, because the kernel does not bind root by
its limit of processes; a second bubblewrap, with nothing to mount, adds the user namespace.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

WORKSPACE = "/workspace"
FONTS = "/tmp/matplotlib"  # noqa: S108 - inside, where nobody else is
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix/store")
_ETC = ("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "fonts", "localtime")
_TMP_BYTES, _SHARED_BYTES = 256 << 20, 64 << 20
_NAMESPACES = ("--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts",
               "--unshare-cgroup-try", "--hostname", "sandbox", "--die-with-parent")  # fmt: skip


@dataclass(frozen=True, slots=True)
class View:
    """What a command may see beside its workspace and the system's programs.

    Attributes:
        shown: paths that are shown at their own place, to be read.
        hidden: folders that are empty inside, even where they lie in a shown one.
        fonts: Matplotlib's prepared list of fonts; None where there is none yet.
    """

    shown: tuple[Path, ...]
    hidden: tuple[Path, ...] = ()
    fonts: Path | None = None


def interpreter() -> tuple[Path, ...]:
    """The folders of this interpreter and its libraries, outermost first, none twice."""
    found = {Path(sys.prefix), Path(sys.base_prefix), Path(sys.executable).resolve().parent}
    found |= {Path(place) for place in sys.path if place.endswith(("-packages", "lib-dynload"))}
    return outermost(path for path in found if path.is_dir())


def outermost(paths: Iterable[Path]) -> tuple[Path, ...]:
    """The paths that lie in none of the others, sorted."""
    every = sorted(set(paths))
    return tuple(p for p in every if not any(q != p and p.is_relative_to(q) for q in every))


def command_line(
    program: str,
    command: Sequence[str],
    view: View,
    workspace: Path,
    user: int | None = None,
    info: int | None = None,
) -> list[str]:
    """The whole command.

    `user`: the id to drop to, where this process is root. `info`: the descriptor to which
    bubblewrap writes the id of the sandbox's first process.
    """
    apart = ["--unshare-user", "--disable-userns"]
    there = ["--chdir", WORKSPACE, "--"]
    told = [] if info is None else ["--info-fd", str(info)]
    seen = [*told, *_NAMESPACES, *_mounts(view, workspace)]
    if user is None:
        return [program, *apart, *seen, *there, *command]
    rights = ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    drop = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "--inh-caps=-all"]
    inner = [program, *apart, "--dev-bind", "/", "/", *there]
    return [program, *rights, *seen, "--", *drop, *inner, *command]


def _mounts(view: View, workspace: Path) -> list[str]:
    """Every mount, in an order in which none covers a later one."""
    arguments: list[str] = []
    for name in SYSTEM:
        path = Path(name)
        if path.is_symlink():
            arguments += ["--symlink", str(path.readlink()), name]
        elif path.is_dir():
            arguments += ["--ro-bind", name, name]
    arguments += ["--perms", "0755", "--dir", "/etc"]
    for name in _ETC:
        arguments += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
    arguments += ["--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev"]
    arguments += ["--perms", "1777", "--size", str(_SHARED_BYTES), "--tmpfs", "/dev/shm"]  # noqa: S108
    # Before what is bound below it.
    arguments += ["--perms", "1777", "--size", str(_TMP_BYTES), "--tmpfs", "/tmp"]  # noqa: S108
    system = [Path(name) for name in SYSTEM if not Path(name).is_symlink()]
    for path in view.shown:
        if not any(path.is_relative_to(place) for place in system):
            arguments += [*_folders_to(path), "--ro-bind", str(path), str(path)]
    for path in view.hidden:
        if path.is_dir() and any(path.is_relative_to(p) for p in (*view.shown, *system)):
            arguments += ["--perms", "0755", "--tmpfs", str(path), "--remount-ro", str(path)]
    arguments += ["--perms", "1777", "--dir", FONTS]
    if view.fonts is not None:
        arguments += ["--ro-bind", str(view.fonts), f"{FONTS}/{view.fonts.name}"]
    arguments += ["--bind", str(workspace), WORKSPACE, "--remount-ro", "/"]
    return arguments


def _folders_to(path: Path) -> list[str]:
    """The folders above a mount, open to all: bubblewrap would make them its owner's alone."""
    above = [str(parent) for parent in reversed(path.parents) if str(parent) not in ("/", "/tmp")]  # noqa: S108
    return [word for folder in above for word in ("--perms", "0755", "--dir", folder)]
