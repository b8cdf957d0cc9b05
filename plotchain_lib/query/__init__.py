"""How models are asked: a thin client per job, one broker per cache folder behind it.

The Snakefile imports this module, so it needs the standard library only and touches no disk but
to read. It supplies five things: `environment` (what a run's jobs find in their environment),
`own_broker` (what keeps a job of a cluster from sharing one), `call_text` (the one argument that
says what to ask), `limits_path` (where the models' limits are written) and the fingerprints that
tell a broker whether it still runs the code and holds the keys its clients expect.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from plotchain_lib.query import client

LIBRARY = Path(__file__).resolve().parents[1]

# A Unix socket's path ends near 104 bytes on macOS and 108 on Linux.
_LONGEST_SOCKET = 100
_OWN_IDLE_S = 5
# What a broker inherits from the first client and every later client must agree with.
_SHARED_SUFFIXES = ("KEY", "TOKEN", "_BASE_URL", "_PROXY")
_SHARED_NAMES = ("SSL_CERT_FILE", "SSL_CERT_DIR", "PLOTCHAIN_MODELS")


def environment(cache: Path) -> dict[str, str]:
    """The variables a workflow sets before its query jobs run. Changes nothing on disk.

    None of them belongs into a rule's params or shell string: a moved folder must rerun nothing.
    """
    folder = Path(os.path.realpath(cache))
    name = hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]
    socket = runtime_folder() / f"{name}.socket"
    if len(os.fsencode(socket)) > _LONGEST_SOCKET:
        raise ValueError(
            f"{socket}: too long for a Unix socket; set PLOTCHAIN_RUNTIME to a shorter folder"
        )
    variables = {
        "PLOTCHAIN_PYTHON": sys.executable,
        "PYTHONPATH": _python_path(),
        "PLOTCHAIN_CLIENT": str(_client_path()),
        "PLOTCHAIN_CACHE": str(folder),
        "PLOTCHAIN_SOCKET": str(socket),
        "PLOTCHAIN_LOG": str(folder / "broker.log"),
        "PLOTCHAIN_FINGERPRINT": fingerprint(),
    }
    if extra := os.environ.get("PLOTCHAIN_MODELS"):
        variables["PLOTCHAIN_MODELS"] = os.path.realpath(extra)
    return variables


def own_broker() -> dict[str, str]:
    """The variables, to be set before `environment` is asked, of a process with its own broker.

    For a job of a cluster: at its end whatever it started is killed, and a broker that others use
    too would take their calls with it. This one leaves a few seconds after its last call.
    """
    return {
        "PLOTCHAIN_RUNTIME": f"{runtime_folder()}-{os.getpid()}",
        "PLOTCHAIN_IDLE_S": str(_OWN_IDLE_S),
    }


def _python_path() -> str:
    """This library first, so that a job runs the code its workflow was planned with."""
    others = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    root = str(LIBRARY.parent)
    return os.pathsep.join([root, *(path for path in others if path and path != root)])


def limits_path(cache: Path, folder: Path) -> Path:
    """Where a start of Snakemake in `folder` writes its models' limits: label to settings.

    Beside the cache, because who shares a cache shares a broker; one file a working folder,
    because labels are only unique there. A broker reads it again when it was written again.
    """
    name = hashlib.sha256(os.fsencode(os.path.realpath(folder))).hexdigest()[:16]
    return Path(os.path.realpath(cache)) / "runs" / f"{name}.json"


def call_text(
    *,
    dataset: str,
    model: str,
    item: str,
    repeat: int,
    items: str,
    settings: Mapping[str, Any],
    picture: str = "",
    source: str = "",
    tries: int = 0,
    code: str = "",
    player: str = "",
    options: Mapping[str, Any] | None = None,
) -> str:
    """What to ask whom, as one line of canonical JSON: the client's second argument.

    ASCII, so that no locale can change it on its way through a shell. Paths are relative to the
    working folder. `settings` are those that enter a request and include the model's ``kind``.
    `tries` counts how often the call was found pending, and `code` is the fingerprint of a local
    model's code: so that its job runs again. `player` plays an item that is an episode,
    under `options` (see `plotchain_lib.query.episode`).
    """
    call = {
        "dataset": dataset,
        "model": model,
        "item": item,
        "repeat": repeat,
        "items": items,
        "settings": dict(settings),
        "picture": picture,
        "source": source,
        **({"tries": tries} if tries else {}),
        **({"code": code} if code else {}),
        **({"player": player} if player else {}),
        **({"options": dict(options)} if options else {}),
    }
    return json.dumps(call, sort_keys=True, allow_nan=False, separators=(",", ":"))


def fingerprint() -> str:
    """``<sources>-<environment>``: equal where a broker may serve a client."""
    return f"{sources_fingerprint()}-{_environment_fingerprint()}"


def sources_fingerprint() -> str:
    """SHA-256 over the code that asks: this package, the models, and what they share."""
    roots = [LIBRARY / "item.py", LIBRARY / "wire.py", LIBRARY / "query", LIBRARY / "models"]
    for episode in sorted(LIBRARY.glob("suites/*/episode.py")):  # a broker plays, too
        roots += sorted(episode.parent.glob("*.py"))
    if extra := os.environ.get("PLOTCHAIN_MODELS"):
        roots.append(Path(extra))
    digest = hashlib.sha256()
    for root in roots:
        digest.update(digest_of(root).encode())
    return digest.hexdigest()[:32]


def digest_of(root: Path) -> str:
    """SHA-256 over a file, or over every file of a folder but caches and editors' leftovers."""
    digest = hashlib.sha256()
    for path in sorted(_files(root)):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(root)}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def _files(root: Path) -> Iterator[Path]:
    if root.is_file():
        yield root
        return
    for path in root.rglob("*"):
        names = path.relative_to(root).parts
        leftover = any(name.startswith((".", "#")) or name == "__pycache__" for name in names)
        if not leftover and not path.name.endswith("~") and path.is_file():
            yield path


def _client_path() -> Path:
    """The client as Python compiled it when this module imported it: that saves 2 ms a job.

    Its source where there is no such copy (a folder that cannot be written to) or an old one.
    """
    source = Path(client.__file__)
    compiled = Path(importlib.util.cache_from_source(client.__file__))
    status = source.stat()
    # The header of a .pyc that is checked by time: magic, no flags, the source's time and size.
    current = importlib.util.MAGIC_NUMBER + b"".join(
        (number & 0xFFFFFFFF).to_bytes(4, "little")
        for number in (0, int(status.st_mtime), status.st_size)
    )
    try:
        with compiled.open("rb") as stream:
            return compiled if stream.read(len(current)) == current else source
    except OSError:
        return source


def _environment_fingerprint() -> str:
    """A hash over keys, addresses and interpreter; it gives none of them away."""
    shared = {
        name: value
        for name, value in os.environ.items()
        if name.upper().endswith(_SHARED_SUFFIXES) or name in _SHARED_NAMES
    }
    text = json.dumps([sys.executable, sys.version, shared], sort_keys=True)
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:32]


def runtime_folder() -> Path:
    """Where sockets and locks live: short, local, and the same for every job of this user.

    Not TMPDIR, which Snakemake sets per job; not XDG_RUNTIME_DIR, which is removed when its user
    logs out while a run goes on. The client checks owner and mode before it trusts the folder.
    """
    if chosen := os.environ.get("PLOTCHAIN_RUNTIME"):
        return Path(chosen).absolute()
    return Path(f"/tmp/plotchain-{os.getuid()}")  # noqa: S108
