"""What every export shares: its pictures, and a folder that is there whole or not at all."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from plotchain_lib.item import Item, PlotChainError

_PNG = b"\x89PNG\r\n\x1a\n"


@contextmanager
def whole_folder(folder: Path) -> Iterator[Path]:
    """A temporary folder beside `folder` to write into; on success it takes that name.

    An older `folder` is replaced. On any error nothing is left but what was there before.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    for left in folder.parent.glob(f".{folder.name}.*"):  # of a writer that was killed
        shutil.rmtree(left, ignore_errors=True)
    prefix = f".{folder.name}.{os.getpid()}."
    temporary = Path(tempfile.mkdtemp(dir=folder.parent, prefix=prefix))
    try:
        temporary.chmod(0o755)
        yield temporary
        for path in temporary.rglob("*"):
            if path.is_file():
                _synchronise(path)
        if folder.exists():
            shutil.rmtree(folder)
        temporary.rename(folder)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise


def _synchronise(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def picture_of(item: Item, pictures: Mapping[str, Path]) -> bytes:
    """The exact bytes of an item's PNG; `pictures` maps item ids to files.

    Raises PlotChainError where the picture is missing or no PNG.
    """
    path = pictures.get(item.id)
    if path is None or not path.is_file():
        raise PlotChainError(
            f"item {item.id}: its picture{f' {path}' if path else ''} is not there; put it in "
            "place, an export holds every picture"
        )
    data = path.read_bytes()
    if not data.startswith(_PNG):
        raise PlotChainError(f"item {item.id}: {path} is no PNG; take it from its source again")
    return data


def by_shard(items: Iterable[Item]) -> dict[str, list[Item]]:
    """Shard to its items, both in the order given. Raises PlotChainError where there are none."""
    shards: dict[str, list[Item]] = {}
    for item in items:
        shards.setdefault(item.shard, []).append(item)
    if not shards:
        raise PlotChainError("the dataset has no items; there is nothing to export")
    return shards


def answer_of(item: Item) -> str:
    """The right answer as text: the one text asked for, or the JSON object of the true values."""
    values = [item.truth[field.name] for field in item.fields]
    if len(values) == 1 and isinstance(values[0], str):
        return values[0]
    truth = {field.name: value for field, value in zip(item.fields, values, strict=True)}
    return json.dumps(truth, ensure_ascii=False, allow_nan=False)


def copy_policies(folder: Path, policies: Mapping[str, Iterable[Path]]) -> None:
    """Copy every policy's file and those it extends into ``folder/policies``.

    Args:
        folder: the export's folder.
        policies: policy to its file and those it extends; they lie in one folder.
    """
    (folder / "policies").mkdir()
    for files in policies.values():
        for file in files:
            shutil.copyfile(file, folder / "policies" / file.name)
