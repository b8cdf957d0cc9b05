"""Who starts a broker, who gets its answers, and what survives whose death."""

import os
import signal
import socket
import time
from pathlib import Path

import psutil
import pytest

from plotchain_lib.query import environment, own_broker

from .conftest import Place, until


def test_racing_clients_get_one_broker_also_past_a_stale_socket(place: Place) -> None:
    for turn in range(2):
        clients = [place.start(place.blind(f"s_{n}"), f"out/{turn}/{n}.json") for n in range(32)]
        assert [client.communicate(timeout=60)[1] for client in clients] == [""] * 32
        assert [client.returncode for client in clients] == [0] * 32
        assert place.log.count("serves") == turn + 1
        place.end()
        stale = socket.socket(socket.AF_UNIX)
        stale.bind(place.environment["PLOTCHAIN_SOCKET"])
        stale.close()
    asked = place.journal("asked")
    assert len(asked) == len(set(asked)) == 32
    assert not list(place.folder.rglob("out/**/.*"))


def test_a_killed_broker_is_replaced_and_stored_answers_are_not_asked_again(place: Place) -> None:
    place.ask(place.slow("s_9"))
    stored = place.journal("stored")
    clients = [place.start(place.slow(f"s_{n}", 0.7), f"out/{n}.json") for n in range(2)]
    until(lambda: len(place.journal("asked")) == 3)
    first = place.pid
    workers = psutil.Process(first).children(recursive=True)
    assert workers
    os.kill(first, signal.SIGKILL)
    assert [client.communicate(timeout=60)[1] for client in clients] == ["", ""]
    assert place.pid != first
    place.ask(place.slow("s_9"))
    assert place.journal("asked").count(stored[0]) == 1
    until(lambda: not any(worker.is_running() for worker in workers))


def test_the_answer_to_a_killed_client_is_kept(place: Place) -> None:
    client = place.start(place.slow(seconds=0.5))
    until(lambda: place.journal("asked"))
    client.kill()
    client.communicate()
    until(lambda: place.journal("stored"))
    assert not (place.folder / "out").exists()
    place.ask(place.slow(seconds=0.5))
    assert len(place.journal("asked")) == 1


def test_duplicates_join_the_call_in_flight(place: Place) -> None:
    clients = [place.start(place.slow(seconds=0.8), f"out/{n}.json") for n in range(4)]
    assert [client.communicate(timeout=60)[1] for client in clients] == [""] * 4
    assert len(place.journal("asked")) == 1
    assert len({(place.folder / f"out/{n}.json").read_bytes() for n in range(4)}) == 1


def test_another_key_drains_the_broker_for_a_successor(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = place.start(place.slow(seconds=0.7), "out/before.json")
    until(lambda: place.journal("asked"))
    first = place.pid
    monkeypatch.setenv("OPENAI_API_KEY", "changed")
    place.ask(place.blind())
    assert before.communicate(timeout=60)[1] == ""
    assert place.pid != first
    assert f"{first} leaves, for a successor" in place.log
    # The successor came up after the last call of the first was stored.
    assert place.log.index("leaves") < place.log.rindex("serves")
    assert len(place.journal("asked")) == 2


def test_a_client_behind_the_files_fails_and_the_broker_stays(place: Place) -> None:
    place.ask(place.blind())
    first = place.pid
    place.extra["PLOTCHAIN_FINGERPRINT"] = "old-" + place.environment["PLOTCHAIN_FINGERPRINT"]
    assert "run Snakemake again" in place.fail(place.blind())
    place.extra.clear()
    assert place.pid == first


def test_a_refused_start_speaks_for_the_clients_after_it(place: Place, runtime: Path) -> None:
    place.extra["PLOTCHAIN_FINGERPRINT"] = "old-old"
    assert "run Snakemake again" in place.fail(place.blind())
    (marker,) = runtime.glob("*.refused")
    written = marker.stat().st_mtime_ns
    assert "run Snakemake again" in place.fail(place.blind())
    assert marker.stat().st_mtime_ns == written
    place.extra.clear()
    place.ask(place.blind())


def test_a_broker_that_cannot_start_says_why(place: Place) -> None:
    place.extra["PLOTCHAIN_IDLE_S"] = "soon"
    assert "did not start: ValueError: could not convert" in place.fail(place.blind())


def test_an_idle_broker_leaves(place: Place) -> None:
    place.extra["PLOTCHAIN_IDLE_S"] = "0.3"
    place.ask(place.blind())
    until(lambda: "leaves, idle, 1 calls served" in place.log)
    assert not Path(place.environment["PLOTCHAIN_SOCKET"]).exists()
    assert Path(place.environment["PLOTCHAIN_SOCKET"]).with_suffix(".lock").exists()


def test_a_broker_has_a_session_of_its_own_and_none_of_its_clients_pipes(place: Place) -> None:
    started = time.monotonic()
    place.ask(place.blind())  # returns at the end of the client's pipes
    assert time.monotonic() - started < 15
    assert os.getsid(place.pid) == place.pid


@pytest.mark.parametrize("how", ["symlink", "mode"])
def test_a_runtime_folder_others_could_reach_into_is_refused(
    place: Place, runtime: Path, tmp_path: Path, how: str
) -> None:
    if how == "symlink":
        (tmp_path / "elsewhere").mkdir(mode=0o700)
        runtime.symlink_to(tmp_path / "elsewhere")
    else:
        runtime.mkdir()
        runtime.chmod(0o755)
    assert "refused, not a private folder" in place.fail(place.blind())
    assert not list((tmp_path / "elsewhere").glob("*")) if how == "symlink" else True


def test_a_working_folder_longer_than_a_socket_path(runtime: Path, tmp_path: Path) -> None:
    place = Place(tmp_path / ("long ' name " * 8) / ("y" * 120))
    assert place.ask(place.blind())["outcome"] == "answered"
    place.end()


def test_environment_touches_no_disk_and_names_an_absolute_short_socket(
    runtime: Path, tmp_path: Path
) -> None:
    variables = environment(tmp_path / "cache")
    assert not (tmp_path / "cache").exists() and not runtime.exists()
    assert len(variables["PLOTCHAIN_SOCKET"]) < 100
    (tmp_path / "link").symlink_to(tmp_path)
    assert environment(tmp_path / "link" / "cache") == variables


def test_a_dead_worker_fails_its_call_alone(place: Place) -> None:
    assert "died under this call" in place.fail(place.slow(settings={"dies": True}))
    assert place.ask(place.slow("s_1"))["outcome"] == "answered"
    assert place.log.count("serves") == 1


def test_a_process_with_its_own_broker_shares_no_socket(
    runtime: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = environment(tmp_path / "cache")
    for name, value in own_broker().items():
        monkeypatch.setenv(name, value)
    own = environment(tmp_path / "cache")
    assert Path(own["PLOTCHAIN_SOCKET"]).parent == Path(f"{runtime}-{os.getpid()}")
    changed = {name for name in shared if own[name] != shared[name]}
    assert changed == {"PLOTCHAIN_SOCKET"}
