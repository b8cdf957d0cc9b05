"""A content fingerprint of the library modules behind a stage.

Snakemake does not see what a script imports. Each rule carries the SHA-256 of the modules its stage
uses, so that an edit of a module reruns the stages that use it and a mere touch reruns nothing.
"""

from __future__ import annotations

import functools
import hashlib
import re
from pathlib import Path

PACKAGE = "plotchain_lib"
_ROOT = Path(__file__).resolve().parent.parent


@functools.cache
def _source(module: str) -> Path | None:
    path = _ROOT / Path(*module.split("."))
    for candidate in (path.with_suffix(".py"), path / "__init__.py"):
        if candidate.is_file():
            return candidate
    return None


# A regular expression, not a parser: every start of the workflow reads the library's imports.
_IMPORT = re.compile(
    rf"^\s*(?:from\s+({PACKAGE}[\w.]*)\s+import\s+(\([^)]*\)|[^\n]*)|import\s+({PACKAGE}[\w.]*))",
    re.MULTILINE,
)


@functools.cache
def _imports(module: str) -> frozenset[str]:
    """The package's modules this one names in an import statement."""
    source = _source(module)
    assert source is not None
    found: set[str] = set()
    for base, names, plain in _IMPORT.findall(source.read_text(encoding="utf-8")):
        words = re.findall(r"\w+", names)
        found.update((plain,) if plain else (base, *(f"{base}.{word}" for word in words)))
    return frozenset(name for name in found if name.startswith(f"{PACKAGE}.") and _source(name))


def closure(*modules: str) -> list[str]:
    """These modules and all of the package that they import, directly or not, sorted.

    Raises ModuleNotFoundError for a module the package does not have.
    """
    pending, seen = list(modules), set[str]()
    while pending:
        module = pending.pop()
        if module in seen:
            continue
        if _source(module) is None:
            raise ModuleNotFoundError(f"{PACKAGE} has no module {module}")
        seen.add(module)
        parts = module.split(".")
        pending += [".".join(parts[:n]) for n in range(2, len(parts))]
        pending += _imports(module)
    return sorted(seen)


@functools.cache
def fingerprint(*modules: str) -> str:
    """SHA-256, cut to 16 hex digits, of the sources of `closure(*modules)` and of data beside them.

    A module that is a package's ``__init__`` brings the package's own data files (templates).
    """
    total = hashlib.sha256()
    for module in closure(*modules):
        source = _source(module)
        assert source is not None
        files = [source]
        if source.name == "__init__.py":
            files += sorted(p for p in source.parent.glob("templates/*") if p.is_file())
        for file in files:
            total.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return total.hexdigest()[:16]
