"""`python -m plotchain_lib.suites.matplotgym.figure.run SCRIPT OUT.json`: a script → its specs.

The script runs as `__main__` in the current directory, with the Agg backend. A script that
raises, leaves early or draws nothing is a result like any other: the reason is in `error`, and
whatever was drawn before is in `figures`. Written last and at once.
"""

from __future__ import annotations

import json
import os
import runpy
import sys
import warnings
from pathlib import Path
from typing import Any

NOTHING = "the script drew no figure"
EMPTY = "the script drew an empty figure"


def run(script: Path) -> dict[str, Any]:
    """Run a script and return `figures`, `chosen` (index or None) and `error` (text or None)."""
    import matplotlib as mpl

    mpl.use("Agg", force=True)
    warnings.filterwarnings("ignore", message=".*non-interactive.*")
    from plotchain_lib.suites.matplotgym.figure.capture import Capture
    from plotchain_lib.suites.matplotgym.figure.spec import plain

    capture = Capture()
    with capture:
        error = _execute(script)
    chosen = capture.chosen()
    if error is None and chosen is None:
        error = EMPTY if capture.shots else NOTHING
    return {"figures": [plain(s.spec) for s in capture.shots], "chosen": chosen, "error": error}


def _execute(script: Path) -> str | None:
    """Run the file; what it raised in one line, or None where it ended well."""
    arguments, path = sys.argv, list(sys.path)
    sys.argv = [str(script)]
    sys.path.insert(0, str(script.resolve().parent))
    try:
        runpy.run_path(str(script), run_name="__main__")
    except SystemExit as leaving:
        return None if leaving.code in (None, 0) else f"SystemExit: {leaving.code}"
    except BaseException as error:
        return f"{type(error).__name__}: {error}".splitlines()[0]
    finally:
        sys.argv, sys.path[:] = arguments, path
    return None


def write(result: dict[str, Any], target: Path) -> None:
    """Write the result under a temporary name, make it durable, and rename it."""
    temporary = target.with_name(f".{target.name}.{os.getpid()}")
    with temporary.open("w", encoding="utf-8") as stream:
        json.dump(result, stream, allow_nan=False)
        stream.flush()
        os.fsync(stream.fileno())
    temporary.replace(target)


def main(arguments: list[str]) -> int:
    """Command line; exit code 2 for a wrong call, 0 for every result."""
    if len(arguments) != 2 or not Path(arguments[0]).is_file():
        print("usage: run SCRIPT OUT.json, where SCRIPT is a Python file", file=sys.stderr)
        return 2
    target = Path(arguments[1]).resolve()
    write(run(Path(arguments[0])), target)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
