"""What is wrong with a task's folder: where, what, and how to mend it, a line each."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from plotchain_lib.suites.matplotgym.words import DECISIONS, DISCIPLINES

REVIEWS = ("curated", "imported")
FILE_LIMIT_BYTES = {"curated": 300_000, "imported": 50_000_000}
WORKSPACE_LIMIT_BYTES = 128_000_000  # an agent's folder may grow to twice that
UNFILLED = "TO BE FILLED IN"  # what a drafted SCHEMA.md leaves to its author
CODE_SUFFIXES = frozenset(
    f".{name}"
    for name in (
        "py",
        "pyw",
        "pyx",
        "pyc",
        "ipynb",
        "r",
        "rmd",
        "qmd",
        "jl",
        "m",
        "nb",
        "sh",
        "bash",
        "c",
        "cc",
        "cpp",
        "h",
        "f",
        "f90",
        "js",
        "do",
        "sas",
        "pl",
        "gp",
        "gnuplot",
    )
)
IDENTIFIER = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_KEYS = ("id", "title", "claim", "discipline", "review", "decisions", "files")
FILE_KEYS = ("path", "source", "url", "licence", "terms", "sha256")


def task_defects(folder: Path) -> list[str]:
    """What is wrong with a task folder, one line each: where, what, and how to mend it."""
    if not (folder / "task.yaml").is_file():
        return [f"{folder.name}: task.yaml is missing: add it"]
    try:
        record = read_record(folder)
    except (yaml.YAMLError, ValueError) as error:
        return [f"{folder.name}: task.yaml: {' '.join(str(error).split())}"]
    missing = [key for key in _KEYS if not record.get(key)]
    if missing:
        return [f"{folder.name}: task.yaml: {', '.join(missing)} missing: add it"]
    is_imported = record["review"] == "imported"
    reference = "reference_spec.json" if is_imported else "reference.py"
    for name in (reference, "workspace/make_figure.py", "workspace/data/SCHEMA.md"):
        if not (folder / name).is_file():
            return [f"{folder.name}: {name} is missing: add it"]
    problems = [*_record_problems(folder, record), *_workspace_problems(folder, record)]
    if is_imported:
        problems += _imported_problems(folder, record)
    return [f"{folder.name}: {problem}" for problem in problems]


def read_record(folder: Path) -> dict[str, Any]:
    """What task.yaml holds. Raises ValueError or yaml.YAMLError where that is no record."""
    record = yaml.safe_load((folder / "task.yaml").read_text(encoding="utf-8"))
    if not isinstance(record, dict):
        raise ValueError("not a mapping: write keys and values")
    listed = record.get("files") or []
    if not isinstance(listed, list) or not all(isinstance(entry, dict) for entry in listed):
        raise ValueError("files is no list of mappings: write one entry a file")
    if not isinstance(record.get("decisions") or [], list):
        raise ValueError("decisions is no list: write one name a line")
    return record


def _record_problems(folder: Path, record: dict[str, Any]) -> Iterator[str]:
    if record["id"] != folder.name:
        yield f"task.yaml: id {record['id']} differs from the folder's name: make them equal"
    if not IDENTIFIER.fullmatch(str(record["id"])):
        yield f"task.yaml: id {record['id']}: use letters, digits, points, dashes and underscores"
    if record["discipline"] not in DISCIPLINES:
        yield f"unknown discipline {record['discipline']}: use one of {', '.join(DISCIPLINES)}"
    for decision in record["decisions"]:
        if decision not in DECISIONS:
            yield f"unknown decision {decision}: use some of {', '.join(DECISIONS)}"
    if len(set(record["decisions"])) < 3:
        yield "fewer than three decisions: a task exercises at least three"
    if record["review"] not in REVIEWS:
        yield f"unknown review status {record['review']}: use one of {', '.join(REVIEWS)}"


def _workspace_problems(folder: Path, record: dict[str, Any]) -> Iterator[str]:
    workspace = folder / "workspace"
    stub = (workspace / "make_figure.py").read_text(encoding="utf-8")
    if len(stub.splitlines()) != 1:
        yield "make_figure.py is not one line: the stub is a single comment"
    declared = {str(entry.get("path")) for entry in record["files"]}
    limit = FILE_LIMIT_BYTES.get(str(record["review"]), FILE_LIMIT_BYTES["curated"])
    for entry in record["files"]:
        yield from _file_problems(workspace, entry, limit)
    schema = (workspace / "data" / "SCHEMA.md").read_text(encoding="utf-8", errors="replace")
    if unfilled := schema.count(UNFILLED):
        yield f"data/SCHEMA.md: {unfilled} times {UNFILLED!r}: say what it is, and its unit"
    known = {"make_figure.py", "data/SCHEMA.md"} | declared
    for path in sorted(p for p in workspace.rglob("*") if p.is_file()):
        name = path.relative_to(workspace).as_posix()
        if name not in known:
            yield f"{name} is not listed under files: list it with source and licence, or delete it"


def _imported_problems(folder: Path, record: dict[str, Any]) -> Iterator[str]:
    """What an imported task may not hold: code, of the author or anybody else, and any other file.

    Its spec is looked at as well: nothing draws it again.
    """
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        name = path.relative_to(folder).as_posix()
        known = name in ("task.yaml", "reference_spec.json") or name.startswith("workspace/")
        code = path.suffix.lower() in CODE_SUFFIXES and name != "workspace/make_figure.py"
        if code or not known:
            yield f"{name}: no part of an imported task, which ships no code: delete it"
    size = sum(path.stat().st_size for path in folder.joinpath("workspace").rglob("*"))
    if size > WORKSPACE_LIMIT_BYTES:
        yield f"workspace: {size} bytes, limit {WORKSPACE_LIMIT_BYTES}: ship fewer files"
    try:
        spec = json.loads((folder / "reference_spec.json").read_text(encoding="utf-8"))
        marks = sum(len(panel["marks"]) for panel in spec["panels"])
    except (ValueError, KeyError, TypeError):
        yield "reference_spec.json: not the spec of a figure: import the figure again"
    else:
        if not marks:
            yield "reference_spec.json: shows no mark: import another figure"


def _file_problems(workspace: Path, entry: dict[str, Any], limit: int) -> Iterator[str]:
    name = str(entry.get("path"))
    for key in FILE_KEYS:
        if not entry.get(key):
            yield f"{name}: {key} missing: record it in task.yaml"
    path = workspace / name
    if not path.resolve().is_relative_to(workspace.resolve()):
        yield f"{name}: outside the workspace: move it in"
    elif not path.is_file():
        yield f"{name}: file missing: add it or take it off the list"
    else:
        content = path.read_bytes()
        if len(content) > limit:
            yield f"{name}: {len(content)} bytes, limit {limit}: ship fewer raw rows"
        digest = hashlib.sha256(content).hexdigest()
        if entry.get("sha256") and digest != entry["sha256"]:
            yield f"{name}: checksum mismatch: restore the file, or record sha256 {digest}"
