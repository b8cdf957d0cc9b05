"""What a client does when no broker answers: start one, or wait for whoever is starting it.

A lock file stands for the broker. Its holder alone may unlink a stale socket and spawn; the
broker inherits the lock's descriptor and keeps it for life, so that the lock is held exactly as
long as a broker lives, however it ends. There are no pid files and the lock file is never
unlinked: both would open a gap in which two brokers pay for one answer.
"""

from __future__ import annotations

import fcntl
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from plotchain_lib.query.client import LOST, exchange, is_private

if TYPE_CHECKING:
    import subprocess

OUTDATED = 3  # the exit code of a broker whose sources are not those its client knows
_MOST_LOST = 5  # brokers that may die under one call before it is given up
_REFUSED_S = 10.0  # how long a failed start speaks for others: jobs in flight must not storm
_LARGEST_LOG = 5_000_000


# Not plotchain_lib.item's error: dozens of clients may race here, and that import would triple
# what each of them costs.
class NoBrokerError(Exception):
    """No broker will answer: one line that says why."""


def ask_starting(message: bytes) -> tuple[bytes, bytes]:
    """The broker's (status, body); status is ``ok`` or ``fail``, the body then is one line."""
    try:
        return _Starter(message).ask()
    except NoBrokerError as error:
        return b"fail", str(error).encode("utf-8", "surrogateescape")


def make_runtime_folder(folder: Path) -> None:
    """Create the sockets' folder, or refuse one that others could reach into."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not is_private(os.fsencode(folder)):
        raise NoBrokerError(
            f"{folder}: refused, not a private folder (mode 0700, no symlink) of this user; "
            "remove it, or set PLOTCHAIN_RUNTIME to a short path of your own"
        )


class _Starter:
    """One call's way to a broker."""

    def __init__(self, message: bytes) -> None:
        self.message = message
        self.socket = Path(os.environ["PLOTCHAIN_SOCKET"])
        self.fingerprint = os.environ["PLOTCHAIN_FINGERPRINT"]
        self.log = Path(os.environ["PLOTCHAIN_LOG"])
        self.refusal = self.socket.with_suffix(".refused")
        self.patience_s = float(os.environ.get("PLOTCHAIN_WAIT_S", "600"))
        self.lost = 0

    def ask(self) -> tuple[bytes, bytes]:
        """Connect, or start a broker, or wait for one, until one of them answers."""
        make_runtime_folder(self.socket.parent)
        waited_since = time.monotonic()
        pause = 0.02
        while True:
            reply = self._exchange()
            if reply is None:
                reply = self._start()
            if reply is not None and reply[0] in (b"ok", b"fail"):
                return reply
            if reply is not None and reply[0] == LOST:
                waited_since = time.monotonic()
            if time.monotonic() - waited_since > self.patience_s:
                raise NoBrokerError(
                    f"the query broker neither answers nor leaves since {self.patience_s:.0f} s; "
                    f"see {self.log}"
                )
            time.sleep(pause)
            pause = min(pause * 1.3, 0.5)

    def _exchange(self) -> tuple[bytes, bytes] | None:
        reply = exchange(os.fsencode(self.socket), self.message)
        if reply is not None and reply[0] == LOST:
            self.lost += 1
            if self.lost > _MOST_LOST:
                raise NoBrokerError(
                    f"the query broker died {self.lost} times under this call; see {self.log}"
                )
        return reply

    def _start(self) -> tuple[bytes, bytes] | None:
        """Spawn a broker if the lock is free and ask it; None where someone else holds it."""
        lock = os.open(self.socket.with_suffix(".lock"), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return None
            self._stop_where_refused()
            self.socket.unlink(missing_ok=True)
            log_start, process = self._spawn(lock)
        finally:
            os.close(lock)  # the broker's copy of the descriptor keeps the lock
        while True:
            ended = process.poll()
            reply = self._exchange()
            if reply is not None:
                return reply
            if ended is not None:
                self._explain(ended, log_start)
                return None
            time.sleep(0.02)

    def _spawn(self, lock: int) -> tuple[int, subprocess.Popen[bytes]]:
        """The broker in a session of its own: neither a hang-up nor a pipe ties it to its job."""
        import subprocess  # needed by the one client in dozens that wins

        self.log.parent.mkdir(parents=True, exist_ok=True)
        if self.log.exists() and self.log.stat().st_size > _LARGEST_LOG:
            self.log.replace(self.log.with_suffix(".log.old"))
        library = str(Path(__file__).resolve().parents[2])
        inherited = os.environ.get("PYTHONPATH")
        path = os.pathsep.join([library, inherited]) if inherited else library
        with self.log.open("ab") as log:
            process = subprocess.Popen(  # noqa: S603
                # -P: the folder it happens to start in is no place to import from.
                [sys.executable, "-P", "-m", "plotchain_lib.query", "--serve", str(lock)],
                cwd="/",
                env={**os.environ, "PYTHONPATH": path},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=(lock,),
                start_new_session=True,
            )
            return log.tell(), process

    def _stop_where_refused(self) -> None:
        """Say again what another client was told a moment ago, instead of spawning again."""
        try:
            age_s = time.time() - self.refusal.stat().st_mtime
            known, _, reason = self.refusal.read_text(encoding="utf-8").partition("\n")
        except OSError:
            return
        if known == self.fingerprint and 0 <= age_s < _REFUSED_S:
            raise NoBrokerError(reason)

    def _explain(self, code: int, log_start: int) -> None:
        """Turn a broker's failure to start into one line. A signal is no such failure."""
        if code <= 0:
            return
        if code == OUTDATED:
            reason = "the library changed while this run was under way; run Snakemake again"
        else:
            with self.log.open("rb") as log:
                log.seek(log_start)
                lines = log.read().decode("utf-8", "replace").split("\n")
            last = next((line for line in reversed(lines) if line.strip()), f"exit code {code}")
            reason = f"the query broker did not start: {last.strip()}; see {self.log}"
        self.refusal.write_text(f"{self.fingerprint}\n{reason}", encoding="utf-8")
        raise NoBrokerError(reason)
