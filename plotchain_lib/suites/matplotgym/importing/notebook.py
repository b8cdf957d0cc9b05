"""A notebook's code cells as Python, without what only a notebook's program understands."""

from __future__ import annotations

import ast
import re
import warnings
from dataclasses import dataclass
from pathlib import Path

from plotchain_lib.item import PlotChainError

# Cell magics whose cell is Python all the same.
_PYTHON_CELLS = frozenset({"time", "timeit", "capture", "prun", "python", "python3"})
_MAGIC = re.compile(r"^(?P<indent>\s*)(?P<sign>[%!?]+)(?P<rest>.*)$")
_ASSIGNED = re.compile(r"^\s*[\w, ]+=\s*[%!]")
_INTERACTIVE = re.compile(r"^%matplotlib\s+(?!inline)\w")


@dataclass(frozen=True, slots=True)
class Notebook:
    """A notebook's code.

    Attributes:
        cells: number of each code cell among all cells, from 1, and its Python.
        dropped: what was left out, one line each.
        flush: whether a cell's figures end with it, as they do unless a magic says otherwise.
    """

    cells: tuple[tuple[int, str], ...]
    dropped: tuple[str, ...]
    flush: bool


def read_notebook(path: Path) -> Notebook:
    """The code of a notebook of any version. Raises PlotChainError where it is none of Python's."""
    import nbformat

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # old notebooks lack what new ones have
            book = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
        language = str(book.metadata.get("kernelspec", {}).get("language") or "python")
        sources = [(n, str(c.source)) for n, c in enumerate(book.cells, 1) if c.cell_type == "code"]
    except Exception as error:  # nbformat raises what its parts raise
        raise PlotChainError(
            f"{path}: not a notebook that can be read ({str(error).splitlines()[0][:100]})"
        ) from error
    if language.lower() != "python":
        raise PlotChainError(f"{path}: a notebook in {language}; only Python can be run")
    cells, dropped, flush = [], [], True
    for number, source in sources:
        code, lines = python_of(source)
        flush = flush and not any(_INTERACTIVE.match(line) for line in lines)
        dropped += [f"cell {number}: {line}" for line in lines]
        cells.append((number, code))
    return Notebook(tuple(cells), tuple(dropped), flush)


def python_of(source: str) -> tuple[str, list[str]]:
    """A cell's Python and the lines left out of it.

    Only lines that are no Python where they stand are touched, so that a string or a continued
    expression may begin a line with a percent sign. ``%time``, ``%cd`` and ``%run`` do what they
    do; numbers of lines are kept.
    """
    first = source.lstrip().split("\n")[0]
    if first.startswith("%%"):
        name = first[2:].split()[0] if first[2:].split() else ""
        if name not in _PYTHON_CELLS:
            return "", [f"{first} (the whole cell)"]
        code, dropped = python_of(source.lstrip().partition("\n")[2])
        return f"\n{code}", [first, *dropped]
    lines, left_out = source.split("\n"), []
    while True:
        number = _wrong_line("\n".join(lines))
        if number is None or not 0 < number <= len(lines):
            break
        line = lines[number - 1]
        instead = _without_magic(line)
        if instead is None:
            break
        left_out.append(line.strip())
        lines[number - 1] = instead
    return "\n".join(lines), left_out


def _wrong_line(code: str) -> int | None:
    """The number of the line that is no Python; None where all is."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(code)
    except SyntaxError as error:
        return error.lineno
    except ValueError:  # a null byte
        return None
    return None


def _without_magic(line: str) -> str | None:
    """What a line of magic does in Python, `pass` where that is nothing; None if it is no magic."""
    if line.rstrip().endswith("?") or _ASSIGNED.match(line):
        return line[: len(line) - len(line.lstrip())] + "pass"
    found = _MAGIC.match(line)
    if found is None:
        return None
    indent, words = found["indent"], found["rest"].strip().split(maxsplit=1)
    argument = words[1].strip() if len(words) > 1 else ""
    if found["sign"] == "%" and words and argument:
        name = argument.strip("\"'")
        if words[0] == "time":
            return f"{indent}{argument}"
        if words[0] == "cd":
            return f"{indent}__import__('os').chdir({name!r})"
        if words[0] == "run":
            return f"{indent}exec(compile(open({name!r}).read(), {name!r}, 'exec'), globals())"
    return f"{indent}pass"
