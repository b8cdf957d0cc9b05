"""Each way out that was thought of, tried by real commands in the real sandbox."""

import os
import secrets
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from plotchain_lib.suites.matplotgym import audit
from plotchain_lib.suites.matplotgym.sandbox import LIBRARY, Runs
from plotchain_lib.suites.matplotgym.watch import Result, watched

from .commands import PYTHON, QUICK, bash, gone, python


def logged(turn: str, result: Result) -> set[str]:
    """The kinds of signs that the audit finds in a command and its output."""
    turns = [{"turn": 1, "reply": {"text": turn}, "output": result.output}]
    return {attempt.kind for attempt in audit.outside(turns)}


def block(command: str, label: str = "bash") -> str:
    return f"```{label}\n{command}\n```"


@pytest.fixture
def listener() -> Iterator[tuple[int, list[object]]]:
    """A server on the loopback of the machine, and who came."""
    came: list[object] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.1)
        end = threading.Event()

        def serve() -> None:
            while not end.is_set():
                try:
                    came.append(server.accept())
                except TimeoutError:
                    continue

        thread = threading.Thread(target=serve)
        thread.start()
        yield server.getsockname()[1], came
        end.set()
        thread.join()


def test_the_network_is_not_there(
    sealed: Runs, workspace: Path, listener: tuple[int, list[object]]
) -> None:
    port, came = listener
    script = (
        "import socket\n"
        f"for address in (('127.0.0.1', {port}), ('192.0.2.1', 80), ('example.org', 80)):\n"
        "    try:\n        socket.create_connection(address, 1)\n        print('reached')\n"
        "    except OSError as error:\n        print('no:', error)\n"
    )
    result = python(sealed, workspace, script)
    assert result.output.count("no:") == 3 and "reached" not in result.output
    assert not came
    assert {"network", "denied"} <= logged(block(script, "python"), result)


def test_the_answers_and_the_library_are_not_there(sealed: Runs, workspace: Path) -> None:
    tasks = LIBRARY / "suites/matplotgym/tasks"
    places = [LIBRARY, LIBRARY.parent / "Snakefile", tasks, Path(__file__)]
    command = "; ".join(f"ls -d {place} && echo FOUND" for place in places)
    command += "; cat /srv/plotchain/reference_spec.json /workspace/../*/reference_spec.json"
    result = bash(sealed, workspace, command)
    assert "FOUND" not in result.output and result.output.count("No such file") >= len(places)
    assert {"path", "store"} <= logged(block(command), result)
    found = bash(sealed, workspace, "find / -name 'reference_spec*' -o -name task.yaml 2>/dev/null",
                 replace(QUICK, seconds=60.0))  # fmt: skip
    assert found.output == "" and not found.stopped
    result = python(sealed, workspace, "import plotchain_lib.suites.matplotgym.sandbox")
    assert "ModuleNotFoundError" in result.output


def test_nothing_outside_can_be_written(sealed: Runs, workspace: Path) -> None:
    mark = secrets.token_hex(8)
    places = [
        "/",
        "/usr",
        "/usr/bin",
        "/etc",
        "/dev",
        "/proc",
        sys.prefix,
        "/root",
        "/home",
        "/sys",
    ]
    command = "; ".join(f"touch {place}/{mark}" for place in places)
    result = bash(sealed, workspace, f"{command}; touch /tmp/{mark} /dev/shm/{mark} {mark}; ls")
    assert result.output.count("touch:") == len(places)
    assert [path.name for path in workspace.iterdir()] == [mark]
    # Its /tmp is its own, and gone with it.
    assert not any(Path(place, mark).exists() for place in [*places, "/tmp", "/dev/shm"])
    assert mark in bash(sealed, workspace, "ls . /tmp").output.split("/tmp")[0]
    assert "denied" in logged(block(command), result)


def test_a_link_out_leads_nowhere(sealed: Runs, workspace: Path) -> None:
    result = bash(sealed, workspace, "ln -s /etc/shadow s; cat s; ln -s / r; ls r/home r/work")
    assert "root:" not in result.output and result.code != 0


def test_no_rights_are_left(sealed: Runs, workspace: Path) -> None:
    result = bash(
        sealed, workspace, "id -u; grep Cap /proc/self/status; unshare -U id; mount -t tmpfs x /mnt"
    )
    assert result.output.splitlines()[0] != "0"
    capabilities = [
        line.split()[1] for line in result.output.splitlines() if line.startswith("Cap")
    ]
    assert len(capabilities) == 5 and set(capabilities) == {"0" * 16}
    assert "uid=" not in result.output and result.code != 0
    others = bash(sealed, workspace, "ls /proc | grep -c '^[0-9]'; kill -9 -1; true")
    assert int(others.output.split()[0]) < 10 and psutil.pid_exists(os.getpid())


def test_no_path_of_ours_is_told(sealed: Runs, workspace: Path) -> None:
    command = "cat /proc/*/cmdline | tr '\\0' ' '; ls -l /proc/self/fd"
    result = bash(sealed, workspace, command, replace(QUICK, kept_bytes=10**6))
    assert "bwrap" in result.output
    assert str(workspace) not in result.output and str(LIBRARY) not in result.output
    assert result.output.count(" -> ") == 4  # three, and the folder that is listed


def test_no_variable_of_ours_is_there(
    sealed: Runs, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "canary-of-the-sandbox")
    result = bash(sealed, workspace, "env; cat /proc/*/environ", replace(QUICK, kept_bytes=10**6))
    assert "PATH=" in result.output and "canary" not in result.output


def test_a_fork_bomb_stays_small(sealed: Runs, workspace: Path) -> None:
    mark = secrets.token_hex(8)
    started = time.monotonic()
    limits = replace(QUICK, seconds=3.0)
    result = bash(sealed, workspace, f"b() {{ b | b & }}; : {mark}; b; sleep 30 # {mark}", limits)
    assert time.monotonic() - started < limits.seconds + 5
    assert result.stopped in ("processes", "time") or "fork" in result.output
    assert gone(mark)
    # The next command has all its room again.
    assert (
        bash(sealed, workspace, "for i in 1 2 3 4 5; do (true) & done; wait; echo well").output
        == "well\n"
    )


def test_a_memory_bomb_is_stopped(sealed: Runs, workspace: Path) -> None:
    result = python(sealed, workspace, "x = bytearray(2 << 30)")
    assert "MemoryError" in result.output and result.code == 1
    many = (
        "import os, time\n"
        "for _ in range(6):\n"
        "    if os.fork() == 0:\n        x = bytearray(os.urandom(1)) * (200 << 20); time.sleep(30)\n"
        "time.sleep(30)"
    )
    assert python(sealed, workspace, many, replace(QUICK, seconds=20.0)).stopped == "memory"


def test_the_small_folders_in_memory_are_small(sealed: Runs, workspace: Path) -> None:
    limits = replace(QUICK, file_bytes=1 << 40, seconds=20.0)
    command = "for f in /tmp /dev/shm; do head -c 400M /dev/zero > $f/x; stat -c %s $f/x; done"
    result = bash(sealed, workspace, command, limits)
    assert result.output.count("No space left") == 2
    assert all(int(word) <= 256 << 20 for word in result.output.split() if word.isdigit())


def test_endless_output_is_cut_and_ended(sealed: Runs, workspace: Path) -> None:
    result = bash(sealed, workspace, "echo begin; yes")
    assert result.stopped == "output" and result.seconds < QUICK.seconds
    assert result.output.startswith("begin\ny\n") and "bytes left out" in result.output
    assert len(result.output) < 1100
    binary = bash(sealed, workspace, "printf 'a\\0b\\033[1mc\\rd\\xff'")
    assert (
        binary.output
        == "a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}[1mc\nd\N{REPLACEMENT CHARACTER}"
    )


def test_too_long_a_sleep_is_ended(sealed: Runs, workspace: Path) -> None:
    mark = secrets.token_hex(8)
    limits = replace(QUICK, seconds=1.0)
    result = bash(sealed, workspace, f"trap '' TERM INT HUP; echo x; sleep 60 # {mark}", limits)
    assert (result.stopped, result.output) == ("time", "x\n")
    assert 1.0 <= result.seconds < 5.0 and gone(mark)
    # Without its output, too: there is nothing to wait for but the time.
    quiet = bash(sealed, workspace, "exec >&- 2>&-; sleep 60", limits)
    assert quiet.stopped == "time" and quiet.seconds < 5.0


def test_nothing_in_the_background_outlives_its_command(sealed: Runs, workspace: Path) -> None:
    mark = secrets.token_hex(8)
    command = (
        f"setsid nohup bash -c 'while true; do date >> late; sleep 0.1; done # {mark}' & "
        "sleep 0.3; echo over"
    )
    result = bash(sealed, workspace, command)
    assert result.output.endswith("over\n") and result.code == 0 and not result.stopped
    assert gone(mark)
    size = (workspace / "late").stat().st_size
    time.sleep(0.4)
    assert (workspace / "late").stat().st_size == size


def test_nothing_writes_any_more_when_a_command_has_ended(sealed: Runs, workspace: Path) -> None:
    writer = "import os\nwhile True: os.write(1, b'x')"
    for end in ("true", "sleep 60"):
        command = (
            f'for i in 1 2 3; do setsid {PYTHON} -c "{writer}" > late$i & done; sleep 0.2; {end}'
        )
        limits = replace(QUICK, seconds=2.0, workspace_bytes=1 << 30, file_bytes=1 << 30)
        bash(sealed, workspace, command, limits)
        sizes = [path.stat().st_size for path in sorted(workspace.glob("late*"))]
        assert len(sizes) == 3
        for _ in range(20):
            assert [path.stat().st_size for path in sorted(workspace.glob("late*"))] == sizes


def test_what_is_left_is_seen_gone_before_a_command_is_over(workspace: Path) -> None:
    """A real writer that its command's end does not end: it is killed, and its end waited for."""
    script = "import os, time\nwhile True: os.write(1, b'x'); time.sleep(0.001)"
    with (workspace / "late").open("wb") as late:
        writer = subprocess.Popen([PYTHON, "-c", script], stdout=late)

    def left() -> Iterator[psutil.Process]:
        process = psutil.Process(writer.pid)
        if process.status() != psutil.STATUS_ZOMBIE:
            yield process

    try:
        while not (workspace / "late").stat().st_size:
            time.sleep(0.01)
        result = watched(["/bin/true"], {}, workspace, QUICK, strays=left)
        assert list(left()) == []
        size = (workspace / "late").stat().st_size
        time.sleep(0.05)
        assert (result.code, (workspace / "late").stat().st_size) == (0, size)
    finally:
        writer.kill()
        writer.wait()


def test_files_and_folders_have_a_size(sealed: Runs, workspace: Path) -> None:
    large = bash(sealed, workspace, "head -c 3M /dev/zero > large; stat -c %s large; rm large")
    assert large.output.split()[-1] == str(1 << 20)
    full = bash(sealed, workspace, "for i in $(seq 9); do head -c 1M /dev/zero > $i; done")
    assert full.stopped == "workspace"
    bash(sealed, workspace, "rm *")
    sparse = bash(sealed, workspace, "for i in $(seq 9); do truncate -s 1M $i; done")
    assert sparse.stopped == "workspace"
    bash(sealed, workspace, "rm *")
    assert bash(sealed, workspace, "for i in $(seq 300); do echo > $i; done").stopped == "workspace"
