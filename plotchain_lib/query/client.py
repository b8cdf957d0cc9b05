"""Ask the broker one question and write its answer: what each query job runs.

    python -I -S client.py OUTPUT CALL

Thousands of jobs start this file, so its usual way imports nothing but what the interpreter has
built in or loaded already: `os`, `json` or `socket` would each cost more than the whole job.
Where no broker answers, `start.py` does the rest at leisure.
"""

import sys
from _socket import AF_UNIX, SHUT_WR, SOCK_STREAM, socket
from posix import (
    O_CLOEXEC,
    O_CREAT,
    O_TRUNC,
    O_WRONLY,
    _exit,
    close,
    environ,
    fsync,
    getcwdb,
    geteuid,
    getpid,
    lstat,
    open,
    rename,
    unlink,
    write,
)

LOST = b"lost"


def exchange(path: bytes, message: bytes) -> tuple[bytes, bytes] | None:
    """The broker's (status, body); None where nobody listens, `LOST` where it died meanwhile."""
    connection = socket(AF_UNIX, SOCK_STREAM)
    try:
        try:
            connection.connect(path)
        except OSError:
            return None
        try:
            connection.sendall(message)
            connection.shutdown(SHUT_WR)
            parts = []
            while part := connection.recv(262144):
                parts.append(part)
        except OSError:
            return LOST, b""
    finally:
        connection.close()
    head, _, body = b"".join(parts).partition(b"\n")
    status, _, length = head.partition(b" ")
    if not length.isdigit() or int(length) != len(body):
        return LOST, b""
    return status, body


def is_private(folder: bytes) -> bool:
    """Whether a folder is a real one, ours, and closed to others. OSError where it is missing."""
    status = lstat(folder)
    return status.st_mode & 0o170077 == 0o040000 and status.st_uid == geteuid()


def write_output(output: str, body: bytes) -> None:
    """Whole or not at all: a temporary name with this process's id, fsync, rename."""
    folder, slash, name = output.rpartition("/")
    temporary = f"{folder}{slash}.{name}.{getpid()}"
    flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC
    try:
        descriptor = open(temporary, flags, 0o666)
    except FileNotFoundError:
        from pathlib import Path

        Path(folder).mkdir(parents=True, exist_ok=True)
        descriptor = open(temporary, flags, 0o666)
    try:
        rest = memoryview(body)
        while rest:
            rest = rest[write(descriptor, rest) :]
        fsync(descriptor)
        rename(temporary, output)
    except BaseException:
        unlink(temporary)
        raise
    finally:
        close(descriptor)


def ask(message: bytes) -> tuple[bytes, bytes]:
    """The broker's final word; starts a broker where there is none."""
    path = environ[b"PLOTCHAIN_SOCKET"]
    try:
        reply = exchange(path, message) if is_private(path.rpartition(b"/")[0]) else None
    except OSError:
        reply = None
    if reply is not None and reply[0] in (b"ok", b"fail"):
        return reply
    # Only now, because these imports cost more than all of the above.
    sys.path.insert(0, __file__.rpartition("/plotchain_lib/")[0])
    from plotchain_lib.query.start import ask_starting

    return ask_starting(message)


def main(arguments: list[str]) -> int:
    """Ask, write, and return the exit code; one line on stderr where it failed."""
    output, call = arguments
    try:
        message = b"\0".join((environ[b"PLOTCHAIN_FINGERPRINT"], getcwdb(), call.encode()))
        status, body = ask(message)
        if status == b"ok":
            write_output(output, body)
            return 0
    except KeyboardInterrupt:
        return 130
    except KeyError as error:
        body = b"%s is not set; run this through Snakemake, or ask with --direct" % error.args[0]
    except OSError as error:
        body = f"{error.filename or output}: {error.strerror or error}".encode()
    write(2, b"query failed: " + body + b"\n")
    return 1


if __name__ == "__main__":
    # Tearing the interpreter down costs 2 ms and nothing is left to save.
    _exit(main(sys.argv[1:]))
