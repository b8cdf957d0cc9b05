"""A workspace whose entries are links, pipes and worse; and its snapshots."""

import os
from pathlib import Path

import pytest

from plotchain_lib.suites.matplotgym import workspace as w


def test_a_file_is_written_in_place_of_whatever_was_there(tmp_path: Path) -> None:
    place, secret = tmp_path / "w", tmp_path / "secret"
    place.mkdir()
    secret.write_text("secret")
    (place / "link").symlink_to(secret)
    w.write_file(place, "link", b"mine")
    assert secret.read_text() == "secret" and (place / "link").read_text() == "mine"
    os.mkfifo(place / "pipe")
    w.write_file(place, "pipe", b"mine")
    w.write_file(place, "a/b/c", b"deep")
    assert w.read_file(place, "a/b/c", 10) == b"deep"
    assert sorted(path.name for path in place.iterdir()) == ["a", "link", "pipe"]


def test_no_link_is_followed(tmp_path: Path) -> None:
    place, other = tmp_path / "w", tmp_path / "other"
    place.mkdir()
    other.mkdir()
    (other / "x").write_text("secret")
    (place / "out").symlink_to(other)
    with pytest.raises(OSError):
        w.write_file(place, "out/x", b"mine")
    (place / "x").symlink_to(other / "x")
    assert w.read_file(place, "x", 10) is None and w.read_file(place, "out/x", 10) is None
    assert (other / "x").read_text() == "secret"


def test_only_a_regular_file_of_its_size_is_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "large").write_bytes(b"x" * 11)
    for name in ("pipe", "folder", "large", "none", "none/deeper"):
        assert w.read_file(tmp_path, name, 10) is None
    with pytest.raises(OSError):
        w.write_file(tmp_path, "folder", b"")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "large", "pipe"]


def test_used_counts_sparse_files_and_not_what_links_point_to(tmp_path: Path) -> None:
    with (tmp_path / "sparse").open("wb") as stream:
        stream.truncate(10**6)
    (tmp_path / "link").symlink_to("/usr")
    (tmp_path / "a" / "b").mkdir(parents=True)
    size, entries = w.used(tmp_path)
    assert 10**6 <= size < 10**6 + 100 and entries == 4
    assert w.used(tmp_path / "none") == (0, 0)


def test_a_snapshot_brings_everything_back(tmp_path: Path) -> None:
    place, kept = tmp_path / "w", tmp_path / "k" / "01.tar"
    (place / "a").mkdir(parents=True)
    (place / "a" / "x").write_bytes(b"\x00x")
    (place / "a" / "x").chmod(0o755)
    (place / "link").symlink_to("/etc/hostname")
    (place / "empty").mkdir()
    sha256 = w.snapshot(place, kept)
    (place / "a" / "x").write_text("changed")
    (place / "more").write_text("")
    assert w.restore(place, kept, sha256)
    assert sorted(p.relative_to(place).as_posix() for p in place.rglob("*")) == [
        "a",
        "a/x",
        "empty",
        "link",
    ]
    assert (place / "a" / "x").read_bytes() == b"\x00x" and os.access(place / "a" / "x", os.X_OK)
    assert (place / "link").readlink() == Path("/etc/hostname")
    kept.write_bytes(kept.read_bytes()[:-1])
    assert not w.restore(place, kept, sha256) and (place / "a").is_dir()
    assert not w.restore(place, tmp_path / "none.tar", sha256)


def test_a_tree_without_rights_is_kept_and_removed(tmp_path: Path) -> None:
    place = tmp_path / "w"
    (place / "a" / "b").mkdir(parents=True)
    (place / "a" / "b" / "x").write_text("x")
    (place / "a" / "b").chmod(0)
    (place / "a").chmod(0)
    sha256 = w.snapshot(place, tmp_path / "k.tar")
    w.empty(place)
    assert not list(place.iterdir())
    assert w.restore(place, tmp_path / "k.tar", sha256)


def test_a_tree_of_any_depth_is_removed(tmp_path: Path) -> None:
    (tmp_path / "w").mkdir()
    current = os.open(tmp_path / "w", os.O_RDONLY)
    for _ in range(20):  # longer than any path may be
        os.mkdir("x" * 250, dir_fd=current)
        deeper = os.open("x" * 250, os.O_RDONLY, dir_fd=current)
        os.close(current)
        current = deeper
    os.close(current)
    with pytest.raises((OSError, RecursionError)):
        w.snapshot(tmp_path / "w", tmp_path / "k.tar")
    w.empty(tmp_path / "w")
    assert not list((tmp_path / "w").iterdir())


def test_digest_tells_names_from_contents() -> None:
    digests = {w.digest(files) for files in ({"a": b"bc"}, {"ab": b"c"}, {"a": b"b", "c": b""}, {})}
    assert len(digests) == 4
