"""What an author's machine had and a sandbox has not, and what no spec reads: passed over, said."""

from __future__ import annotations

import functools
import shutil
from collections.abc import Callable
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
from matplotlib import style
from matplotlib.text import Text

Note = Callable[[str], None]


def be_lenient(note: Note) -> None:
    """For the rest of this process: no window system, no LaTeX, no style sheet is missed."""
    plt.switch_backend("agg")
    mpl.use = functools.partial(_kept, "matplotlib.use", note)
    plt.switch_backend = functools.partial(_kept, "switch_backend", note)
    _pass_over_styles(note)
    if shutil.which("latex") is None:
        # The tick labels' formatters read rcParams themselves; what they write, mathtext can draw.
        setattr(Text, "get_usetex", functools.partialmethod(_no_latex, note))  # noqa: B010


def _kept(what: str, note: Note, backend: object = "", *_: object, **__: object) -> None:
    if str(backend).lower() != "agg":
        note(f"{what}({str(backend)!r}): the backend stays Agg")


def _no_latex(text: Any, note: Note) -> bool:
    if text._usetex:
        note("text.usetex: there is no LaTeX here, texts are set by Matplotlib")
    return False


def _pass_over_styles(note: Note) -> None:
    original = style.use

    @functools.wraps(original)
    def use(names: Any) -> None:
        for name in names if isinstance(names, list | tuple) else [names]:
            try:
                original(name)
            except OSError:
                note(f"style {name!r} is not there: passed over, no spec reads it")

    setattr(style, "use", use)  # noqa: B010 - of another signature
