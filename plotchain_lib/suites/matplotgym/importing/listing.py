"""The folder a user looks at before choosing: pictures and specs of all figures of one run."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from plotchain_lib.files import write_atomically, write_json
from plotchain_lib.item import PlotChainError
from plotchain_lib.suites.matplotgym.importing.runs import Recorded

INDEX = "figures.json"
LOG = "log.txt"
_MARK = "figures recorded by plotchain_lib.suites.matplotgym.importer"

Spec = Mapping[str, Any]


def write_listing(folder: Path, recorded: Recorded, fingerprint: str, script: str) -> None:
    """Write a run's figures, whole or not at all, over an earlier listing if there is one.

    Raises PlotChainError where the folder holds anything else.
    """
    refuse_others_folder(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    new = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}.{os.getpid()}."))
    try:
        new.chmod(0o755)
        entries = []
        for number, (spec, detail) in enumerate(
            zip(recorded.figures, recorded.details, strict=True), start=1
        ):
            write_json(new / f"figure-{number}.spec.json", spec)
            if detail["picture"]:
                write_atomically(new / f"figure-{number}.png", detail["picture"])
            _redraw(spec, new / f"figure-{number}.redrawn.png")
            entries.append({"inches": detail["inches"], "saved": detail["saved"]})
        write_atomically(new / LOG, recorded.output)
        index = {
            "made_by": _MARK, "fingerprint": fingerprint, "script": script, "figures": entries,
            "error": recorded.error, "notes": list(recorded.notes), "sealed": recorded.sealed,
            "versions": recorded.versions,
        }  # fmt: skip
        write_json(new / INDEX, index)
        if folder.exists():
            shutil.rmtree(folder)
        new.rename(folder)
    except BaseException:
        shutil.rmtree(new, ignore_errors=True)
        raise


def read_listing(folder: Path, fingerprint: str) -> Recorded | None:
    """The run a listing is of, without its pictures; None where it is of another or crashed."""
    index = _index(folder)
    if index is None or index.get("fingerprint") != fingerprint or index.get("error"):
        return None
    try:
        figures = [
            json.loads((folder / f"figure-{n}.spec.json").read_text(encoding="utf-8"))
            for n in range(1, len(index["figures"]) + 1)
        ]
        details = [{**entry, "picture": None} for entry in index["figures"]]
        return Recorded(
            figures, details, "", index["notes"], index["versions"],
            (folder / LOG).read_text(encoding="utf-8"), index["sealed"],
        )  # fmt: skip
    except (OSError, ValueError, KeyError, TypeError):
        return None


def refuse_others_folder(folder: Path) -> None:
    """Raise PlotChainError where a folder is there and no listing, or holds more than one."""
    if not folder.exists():
        return
    ours = folder.is_dir() and _index(folder) is not None
    if ours:
        ours = all(
            path.name in (INDEX, LOG) or path.name.startswith("figure-")
            for path in folder.iterdir()
        )
    if not ours:
        raise PlotChainError(
            f"{folder}: already there and no list of figures; name another with --figures"
        )


def _index(folder: Path) -> dict[str, Any] | None:
    try:
        index = json.loads((folder / INDEX).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return index if isinstance(index, dict) and index.get("made_by") == _MARK else None


def _redraw(spec: Spec, path: Path) -> None:
    """What the spec holds, drawn from it alone; no picture where it cannot be drawn."""
    from matplotlib.figure import Figure

    from plotchain_lib.suites.matplotgym.renderer import render

    figure = Figure()
    try:
        render(spec, figure)
        figure.savefig(path, dpi=80)
    except Exception:  # the spec of a script that may do anything; its own picture is there
        path.unlink(missing_ok=True)


def line_of(number: int, spec: Spec, detail: Mapping[str, Any]) -> str:
    """One line: number, size, panels, marks, overlays, and the names it was saved under."""
    panels = spec.get("panels", [])
    marks = Counter(str(mark["kind"]) for panel in panels for mark in panel["marks"])
    overlays = Counter(str(o["kind"]) for panel in panels for o in panel["overlays"])
    width, height = detail["inches"]
    parts = [
        f"{width:g} x {height:g} in",
        f"{len(panels)} panel{'' if len(panels) == 1 else 's'}",
        _counted(marks) or "empty",
    ]
    if overlays:
        parts.append(f"with {_counted(overlays)}")
    if detail["saved"]:
        parts.append(f"saved as {', '.join(detail['saved'])}")
    return f"figure {number}: " + ", ".join(parts)


def _counted(kinds: Counter[str]) -> str:
    return ", ".join(f"{count} {kind.replace('_', ' ')}" for kind, count in sorted(kinds.items()))
