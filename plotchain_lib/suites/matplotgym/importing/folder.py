"""Write an imported task's folder, whole or not at all, without a line of the author's code."""

from __future__ import annotations

import ast
import hashlib
import io
import os
import shutil
import tempfile
import tokenize
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from plotchain_lib.files import write_atomically, write_json
from plotchain_lib.item import PlotChainError
from plotchain_lib.suites.matplotgym.decisions import DECISIONS, compare
from plotchain_lib.suites.matplotgym.defects import CODE_SUFFIXES, IDENTIFIER
from plotchain_lib.suites.matplotgym.importing.schema import draft
from plotchain_lib.suites.matplotgym.leaks import assigned_columns
from plotchain_lib.suites.matplotgym.words import DISCIPLINES

STUB = "# Draw the figure here with Matplotlib; data files are in data/.\n"
# Of a file: where it is from and why it may be shipped.
ORIGIN = ("source", "url", "licence", "terms")
TEXTS = ("id", "title", "claim", "discipline", *ORIGIN)
_PICTURES = frozenset({".png", ".jpg", ".jpeg", ".gif", ".tif", ".tiff", ".svg", ".pdf", ".eps"})
_SHORTEST = 12  # characters of a line of code that is told from chance
_MOST_FILES = 1000

Spec = Mapping[str, Any]
Code = Sequence[str]  # the script's text, then others


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a user says about a task.

    Attributes:
        texts: `TEXTS`, none empty.
        files: data files, relative to the folder of data.
        origins: what of ORIGIN differs for a file.
        schema: the user's SCHEMA.md; None for a draft.
        derived_columns, answer_tokens: as in task.yaml.
    """

    texts: Mapping[str, str]
    files: tuple[str, ...]
    origins: Mapping[str, Mapping[str, str]]
    schema: Path | None
    derived_columns: tuple[str, ...]
    answer_tokens: tuple[str, ...]


def wanted_of(
    given: Mapping[str, Any], data: Path, files: Sequence[str], schema: Path | None, tasks: Path
) -> tuple[Wanted, list[str]]:
    """What was asked for, checked, and what of the data is not shipped, a line each.

    `given`: the keys of task.yaml and ORIGIN. Raises PlotChainError in one line at the first fault.
    """
    record = {**given, "title": given.get("title") or str(given.get("id", "")).replace("-", " ")}
    texts = {name: " ".join(str(record.get(name) or "").split()) for name in TEXTS}
    origins = _origins(given.get("files") or [], data)
    listed = origins.values() if origins and not files else [{}]
    missing = [
        name for name in TEXTS
        if not texts[name] and not (name in ORIGIN and all(entry.get(name) for entry in listed))
    ]  # fmt: skip
    if missing:
        raise PlotChainError(
            f"{', '.join('--' + name for name in missing)} missing: give it, or write it into the "
            "file that --task names"
        )
    if not IDENTIFIER.fullmatch(texts["id"]):
        raise PlotChainError(
            f"--id {texts['id']}: use letters, digits, points, dashes and underscores"
        )
    if texts["discipline"] not in DISCIPLINES:
        raise PlotChainError(
            f"unknown discipline {texts['discipline']}; use one of {', '.join(DISCIPLINES)}"
        )
    if (tasks / texts["id"]).exists():
        raise PlotChainError(f"{tasks / texts['id']}: already there; choose another --id")
    names, left_out = _data_files(data, files or list(origins))
    if schema is None and (data / "SCHEMA.md").is_file():
        schema = data / "SCHEMA.md"
    if schema is not None and not schema.is_file():
        raise PlotChainError(f"{schema}: no such file; check --schema")
    lists = [_texts(given.get(key), key) for key in ("derived_columns", "answer_tokens")]
    return Wanted(texts, names, origins, schema, lists[0], lists[1]), left_out


def _texts(value: Any, key: str) -> tuple[str, ...]:
    if value is not None and not isinstance(value, list):
        raise PlotChainError(f"{key}: not a list; write one entry a line")
    return tuple(str(entry) for entry in value or [])


def _origins(listed: Any, data: Path) -> dict[str, dict[str, str]]:
    """Path below the folder of data to what is said of that file alone."""
    found: dict[str, dict[str, str]] = {}
    for entry in listed if isinstance(listed, list) else [None]:
        if not isinstance(entry, dict) or not entry.get("path"):
            raise PlotChainError("files: not a list of mappings with a path; write one a file")
        path = str(entry["path"])
        if not (data / path).is_file():
            path = path.removeprefix("data/")  # as the workspace will have it
        found[path] = {key: str(entry[key]) for key in ORIGIN if entry.get(key)}
    return found


def _data_files(data: Path, files: Sequence[str]) -> tuple[tuple[str, ...], list[str]]:
    """The files to ship, and what is left out of them where all are taken."""
    left_out: list[str] = []
    names = [_listed(data, name) for name in files]
    if not files:
        for path in sorted(path for path in data.rglob("*") if path.is_file()):
            name = path.relative_to(data).as_posix()
            if any(part.startswith((".", "__")) for part in Path(name).parts):
                continue
            if not path.resolve().is_relative_to(data.resolve()):
                left_out.append(f"{name}: a link that leads out of {data}, not shipped")
            elif why := _never_shipped(path):
                left_out.append(f"{name}: {why}, not shipped")
            elif name != "SCHEMA.md":
                names.append(name)
    if not names:
        raise PlotChainError(f"{data}: holds no data to ship; check --data")
    if len(names) > _MOST_FILES:
        raise PlotChainError(f"{data}: {len(names)} files; name those that are needed with --file")
    return tuple(sorted(set(names))), left_out


def _listed(data: Path, name: str) -> str:
    path = data / name
    if not path.resolve().is_relative_to(data.resolve()):
        raise PlotChainError(f"--file {name}: outside {data}; name it relative to that folder")
    if not path.is_file():
        raise PlotChainError(f"--file {name}: no such file in {data}")
    if why := _never_shipped(path):
        raise PlotChainError(f"--file {name}: {why}, which is never shipped")
    return path.relative_to(data).as_posix()


def _never_shipped(path: Path) -> str:
    suffix = path.suffix.lower()
    if suffix in CODE_SUFFIXES:
        return "code"
    return "a picture, maybe of the answer" if suffix in _PICTURES else ""


def write_task(
    tasks: Path, wanted: Wanted, data: Path, spec: Spec, origin: Mapping[str, Any], code: Code
) -> Path:
    """Write the folder of a task under a temporary name, make it durable, and rename it.

    Args:
        tasks: the folder of tasks, made where it is missing.
        wanted, data: what the user wants and where the data files lie.
        spec: of the chosen figure.
        origin: how it was made, for ``task.yaml``.
        code: the author's script and the texts of all other Python of the author's, of which no
            line may be in the task.

    Raises PlotChainError where a line of it would be, or the task is there already.
    """
    tasks.mkdir(parents=True, exist_ok=True)
    name = wanted.texts["id"]
    new = Path(tempfile.mkdtemp(dir=tasks, prefix=f".{name}.{os.getpid()}."))
    try:
        new.chmod(0o755)
        _fill(new, wanted, data, spec, origin, code)
        for found in _code_lines_in(new, code):
            raise PlotChainError(f"{found}: the author's code is not shipped; mend or leave it out")
        if (tasks / name).exists():
            raise PlotChainError(f"{tasks / name}: already there; choose another --id")
        new.rename(tasks / name)
        _make_durable(tasks)
    except BaseException:
        shutil.rmtree(new, ignore_errors=True)
        raise
    return tasks / name


def _fill(
    new: Path, wanted: Wanted, data: Path, spec: Spec, origin: Mapping[str, Any], code: Code
) -> None:
    workspace = new / "workspace"
    entries = []
    for name in wanted.files:
        content = (data / name).read_bytes()
        write_atomically(workspace / "data" / name, content)
        said = {key: wanted.origins.get(name, {}).get(key) or wanted.texts[key] for key in ORIGIN}
        digest = hashlib.sha256(content).hexdigest()
        entries.append({"path": f"data/{name}", **said, "sha256": digest})
    text = wanted.schema.read_bytes() if wanted.schema else draft(data, wanted.files)
    write_atomically(workspace / "data" / "SCHEMA.md", text)
    write_atomically(workspace / "make_figure.py", STUB)
    write_json(new / "reference_spec.json", spec)
    made = [name for name, score in compare(spec, spec).items() if score is not None]
    record = {
        **{key: wanted.texts[key] for key in ("id", "title", "claim", "discipline")},
        "review": "imported",
        "decisions": [name for name in DECISIONS if name in made],
        "files": entries,
        "derived_columns": sorted({*wanted.derived_columns, *new_columns(code[0])}),
        "answer_tokens": list(wanted.answer_tokens),
        "origin": dict(origin),
    }
    text = yaml.safe_dump(record, sort_keys=False, allow_unicode=True, width=100)
    write_atomically(new / "task.yaml", text)


def new_columns(code: str) -> set[str]:
    """The columns a script computes, but for those it only converts (``f["t"] = to(f["t"])``)."""
    try:
        return assigned_columns(code) - set(_converted(ast.parse(code)))
    except SyntaxError:
        return set()


def _converted(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            read = {n.value for n in ast.walk(node.value) if isinstance(n, ast.Constant)}
            keys = [target.slice for target in node.targets if isinstance(target, ast.Subscript)]
            for key in keys:
                value = key.value if isinstance(key, ast.Constant) else None
                if isinstance(value, str) and value in read:
                    yield value


def _code_lines_in(folder: Path, code: Code) -> Iterator[str]:
    """Where a file below a folder holds a line of code, one message a file."""
    lines = {line for text in code for line in code_lines(text)}
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        there = {line.strip() for line in path.read_text("utf-8", "replace").splitlines()}
        if found := there & lines:
            name = path.relative_to(folder).as_posix()
            yield f"{name} holds a line of code ({min(found)[:60]!r})"


def code_lines(code: str) -> set[str]:
    """The lines of a script that are code, stripped, without those too short to tell from chance.

    Comments, docstrings and rows of numbers or labels are none: a claim may be a comment's words.
    """
    lines = code.splitlines()
    try:
        numbers = _lines_with_names(code)
    except (tokenize.TokenError, SyntaxError):
        numbers = set(range(1, len(lines) + 1))
    kept = (lines[number - 1].strip() for number in numbers if number <= len(lines))
    return {line for line in kept if len(line) >= _SHORTEST}


def _lines_with_names(code: str) -> Iterable[int]:
    tokens = tokenize.generate_tokens(io.StringIO(code).readline)
    return {token.start[0] for token in tokens if token.type == tokenize.NAME}


def _make_durable(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
