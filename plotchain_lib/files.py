"""Files that stages hand on: whole or not at all, and one clear line where one is wrong."""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, cast

from plotchain_lib.item import Item, PlotChainError


def _lines(text: str) -> list[str]:
    """Lines of JSON Lines. Not `splitlines`: it also cuts at U+2028 and the like inside texts."""
    return text.removesuffix("\n").split("\n") if text else []


def read_items(path: Path) -> list[Item]:
    """All items of one shard file. Raises PlotChainError naming file and line."""
    items = []
    for number, line in enumerate(_lines(path.read_text(encoding="utf-8")), start=1):
        try:
            items.append(Item.from_json(line))
        except (ValueError, KeyError, TypeError) as error:
            raise PlotChainError(
                f"{path}:{number}: not an item ({error}); delete the file and run again"
            ) from error
    return items


def read_json_lines(path: Path) -> list[dict[str, Any]]:
    """Every object of a JSON Lines file. Raises PlotChainError naming file, line and remedy."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise PlotChainError(
            f"{path}: cannot be read ({error.strerror}); check the path"
        ) from error
    except UnicodeDecodeError as error:
        raise PlotChainError(f"{path}: not UTF-8 text; is it the right file?") from error
    records = []
    for number, line in enumerate(_lines(text), start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except ValueError as error:
            raise PlotChainError(
                f"{path}:{number}: not valid JSON ({error}); the line may be cut off, mend it or "
                "take the file from its source again"
            ) from error
        if not isinstance(record, dict):
            raise PlotChainError(f"{path}:{number}: expected a JSON object; mend the line")
        records.append(cast(dict[str, Any], record))
    return records


@contextmanager
def atomic_stream(path: Path) -> Iterator[BinaryIO]:
    """To write under a temporary name in the same folder, fsync, rename: whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    prefix = f".{path.name}.{os.getpid()}."
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=prefix)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            yield stream
            stream.flush()
            os.fchmod(stream.fileno(), 0o644)
            os.fsync(stream.fileno())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def write_atomically(path: Path, content: bytes | str) -> None:
    """Write a file's whole content as `atomic_stream` does."""
    with atomic_stream(path) as stream:
        stream.write(content.encode("utf-8") if isinstance(content, str) else content)


def write_json(path: Path, value: Any) -> None:
    """Canonical, readable JSON: sorted keys, two spaces, no NaN, a newline at the end."""
    text = json.dumps(value, indent=2, sort_keys=True, allow_nan=False, ensure_ascii=False)
    write_atomically(path, text + "\n")


def write_items(path: Path, items: Iterable[Item]) -> None:
    """One item a line."""
    write_atomically(path, "".join(item.to_json() + "\n" for item in items))


@contextmanager
def one_line_errors(log: str = "") -> Iterator[None]:
    """End the process on a PlotChainError with its one line on stderr, and in `log` if given."""
    try:
        yield
    except PlotChainError as error:
        if log:
            write_atomically(Path(log), f"{error}\n")
        sys.exit(f"plotchain: {error}")


_TEMPORARY = re.compile(r"\..+\.(\d+)(?:\.[a-z0-9_]{8})?")


def left_behind(results: Path) -> list[Path]:
    """Temporary files below `results` whose writer was killed: their names hold its process id."""
    found = []
    for folder, _, names in os.walk(results):
        for name in names:
            match = _TEMPORARY.fullmatch(name)
            if match and not _is_alive(int(match.group(1))):
                found.append(Path(folder, name))
    return found


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def pending_responses(results: Path) -> list[Path]:
    """The response files below `results` that say `pending`, the unreadable left alone."""
    found = []
    for path in results.glob("*/responses/*/*.json"):
        data = path.read_bytes()
        if b'"pending"' in data:
            with suppress(ValueError, AttributeError):
                if json.loads(data).get("outcome") == "pending":
                    found.append(path)
    return found
