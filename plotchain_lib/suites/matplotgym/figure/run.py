"""`python -m plotchain_lib.suites.matplotgym.figure.run SCRIPT OUT.json [PICTURE.png]`: its specs.

The script runs as `__main__` in the current directory, with the Agg backend. A script that
raises, leaves early or draws nothing is a result like any other: the reason is in `error`, and
whatever was drawn before is in `figures`. Written last and at once. The picture, for people to look
at, is of the chosen figure; there is none where it cannot be drawn.
"""

from __future__ import annotations

import json
import os
import runpy
import sys
import warnings
from contextlib import suppress
from pathlib import Path
from typing import Any

NOTHING = "the script drew no figure"
EMPTY = "the script drew an empty figure"
_WIDEST = 900  # pixels, of either side of the picture


def run(script: Path, picture: Path | None = None) -> dict[str, Any]:
    """Run a script and return `figures`, `chosen` (index or None) and `error` (text or None).

    The chosen figure is drawn into `picture`, if one is named.
    """
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
    if picture is not None and chosen is not None:
        _draw(capture.shots[chosen].figure, picture)
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


def _draw(figure: Any, picture: Path) -> None:
    """The figure as a PNG, at most _WIDEST pixels wide."""
    width, height = figure.get_size_inches()
    dpi = min(100.0, _WIDEST / max(float(width), float(height), 1.0))
    with suppress(Exception):  # a script may have left it in any state
        figure.savefig(picture, format="png", dpi=dpi)


def write(result: dict[str, Any], target: Path) -> None:
    """Write the result under a temporary name, make it durable, and rename it."""
    temporary = target.with_name(f".{target.name}.{os.getpid()}")
    text = json.dumps(result, allow_nan=False)  # `dump` encodes in Python, ten times slower
    with temporary.open("w", encoding="utf-8") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())
    temporary.replace(target)


def main(arguments: list[str]) -> int:
    """Command line; exit code 2 for a wrong call, 0 for every result."""
    if len(arguments) not in (2, 3) or not Path(arguments[0]).is_file():
        usage = "usage: run SCRIPT OUT.json [PICTURE.png], where SCRIPT is a Python file"
        print(usage, file=sys.stderr)
        return 2
    target, *picture = (Path(argument).resolve() for argument in arguments[1:])
    write(run(Path(arguments[0]), picture[0] if picture else None), target)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
