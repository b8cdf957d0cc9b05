"""An agent's folder as the harness touches it: never through a link the agent may have laid.

The harness may run as root and the agent may make any entry of its folder a link to anywhere, so
nothing here follows links: files are written under a temporary name and renamed over what was
there, read only where they are regular files, and snapshots hold links as links.
"""

from __future__ import annotations

import hashlib
import io
import os
import secrets
import stat
import subprocess
import tarfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath

from plotchain_lib.files import write_atomically

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def files_of(folder: Path) -> dict[str, bytes]:
    """The regular files below a trusted folder, by their path relative to it, sorted."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def digest(files: Mapping[str, bytes]) -> str:
    """SHA-256 over names and contents."""
    total = hashlib.sha256()
    for name in sorted(files):
        total.update(f"{name}\0{len(files[name])}\0".encode())
        total.update(files[name])
    return total.hexdigest()


def write_file(folder: Path, path: str, content: bytes) -> None:
    """Write one file; folders on the way are made.

    Raises OSError where an entry on the way is no real folder, or the path is a folder's.
    """
    *folders, name = PurePosixPath(path).parts
    with _opened(folder, folders) as where:
        temporary = f".{secrets.token_hex(8)}"
        descriptor = os.open(temporary, _NEW, 0o644, dir_fd=where)
        try:
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(content)
            os.rename(temporary, name, src_dir_fd=where, dst_dir_fd=where)
        except BaseException:
            with suppress(OSError):
                os.unlink(temporary, dir_fd=where)
            raise


def read_file(folder: Path, path: str, most: int) -> bytes | None:
    """A regular file of at most `most` bytes; None where there is none such."""
    *folders, name = PurePosixPath(path).parts
    try:
        with _opened(folder, folders, make=False) as where:
            descriptor = os.open(name, _READ, dir_fd=where)
            with os.fdopen(descriptor, "rb") as stream:
                if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                    return None
                content = stream.read(most + 1)
    except OSError:
        return None
    return content if len(content) <= most else None


@contextmanager
def _opened(folder: Path, folders: list[str], make: bool = True) -> Iterator[int]:
    """The descriptor of a folder below `folder`, reached without following a link."""
    current = os.open(folder, _FOLDER)
    try:
        for name in folders:
            if make:
                with suppress(FileExistsError):
                    os.mkdir(name, 0o755, dir_fd=current)
            following = os.open(name, _FOLDER, dir_fd=current)
            os.close(current)
            current = following
        yield current
    finally:
        os.close(current)


def used(folder: Path) -> tuple[int, int]:
    """Apparent bytes and number of entries below a folder; what vanishes meanwhile is passed over.

    Apparent, because a sparse file that takes no room on the disk takes it in a snapshot.
    """
    size = entries = 0
    waiting = [os.fspath(folder)]
    while waiting:
        with suppress(OSError), os.scandir(waiting.pop()) as found:
            for entry in found:
                entries += 1
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                else:
                    with suppress(OSError):
                        size += entry.stat(follow_symlinks=False).st_size
    return size, entries


def hand_over(folder: Path, user: int) -> None:
    """Give a folder and all below it to a user. Links are given, never followed."""
    os.chown(folder, user, user, follow_symlinks=False)
    for place, folders, names in os.walk(folder):
        for name in (*folders, *names):
            os.chown(Path(place, name), user, user, follow_symlinks=False)


def snapshot(folder: Path, path: Path) -> str:
    """Keep a folder as a tar file, whole or not at all. Returns its SHA-256.

    Raises OSError or RecursionError where the folder cannot be kept (a path too long or too deep).
    """
    try:
        content = _packed(folder)
    except PermissionError:  # the agent took its own rights away
        _run("chmod", "-R", "u+rwX", "--", os.fspath(folder))
        content = _packed(folder)
    write_atomically(path, content)
    return hashlib.sha256(content).hexdigest()


def restore(folder: Path, path: Path, sha256: str) -> bool:
    """Make an own folder what it was at a snapshot; False where that is missing or not whole."""
    try:
        content = path.read_bytes()
    except OSError:
        return False
    if hashlib.sha256(content).hexdigest() != sha256:
        return False
    empty(folder)
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        # Our own archive of a real tree: no member lies behind a link, and links stay links.
        archive.extraction_filter = lambda member, _: member
        archive.extractall(folder)  # noqa: S202
    return True


def empty(folder: Path) -> None:
    """Remove all that is in a folder. By the system's commands: they bear any depth."""
    _run("chmod", "-R", "u+rwX", "--", os.fspath(folder))
    _run("rm", "-rf", "--", *(entry.path for entry in os.scandir(folder)))


def _packed(folder: Path) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for entry in sorted(folder.iterdir()):
            archive.add(entry, arcname=entry.name)
    return stream.getvalue()


def _run(*command: str) -> None:
    subprocess.run(command, check=False, capture_output=True)  # noqa: S603
