"""Which call drew an artist: the plotting methods of Axes, wrapped, with their outermost caller."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from mpl_toolkits.mplot3d import Axes3D  # type: ignore[import-untyped]

METHODS = [
    "plot",
    "plot_date",
    "loglog",
    "semilogx",
    "semilogy",
    "step",
    "scatter",
    "bar",
    "barh",
    "broken_barh",
    "stem",
    "pie",
    "errorbar",
    "boxplot",
    "bxp",
    "hexbin",
    "quiver",
    "barbs",
    "streamplot",
    "fill",
    "fill_between",
    "fill_betweenx",
    "stackplot",
    "imshow",
    "pcolor",
    "pcolormesh",
    "pcolorfast",
    "contour",
    "contourf",
    "tricontour",
    "tricontourf",
    "tripcolor",
    "triplot",
    "hist",
    "hist2d",
    "ecdf",
    "psd",
    "csd",
    "magnitude_spectrum",
    "angle_spectrum",
    "phase_spectrum",
    "cohere",
    "specgram",
    "spy",
    "matshow",
    "violinplot",
    "violin",
    "eventplot",
    "hlines",
    "vlines",
    "axhline",
    "axvline",
    "axline",
    "axhspan",
    "axvspan",
    "stairs",
    "grouped_bar",
    "acorr",
    "xcorr",
    "arrow",
    "annotate",
    "text",
    "table",
    "plot3D",
    "scatter3D",
    "plot_surface",
    "plot_wireframe",
    "plot_trisurf",
    "bar3d",
    "contour3D",
    "contourf3D",
    "voxels",
]
LIBRARIES = ("seaborn.", "pandas.plotting")


@dataclass(eq=False)
class Call:
    """One call of a plotting method, with the artists it added and what it returned."""

    name: str
    axes: Axes
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    parent: Call | None
    callers: tuple[str, ...]  # functions of seaborn or pandas around it, outermost first
    made: list[Artist] = field(default_factory=list)
    result: Any = None

    def chain(self) -> Iterator[Call]:
        """This call and the plotting methods around it, innermost first."""
        call: Call | None = self
        while call is not None:
            yield call
            call = call.parent


def library_callers() -> tuple[str, ...]:
    """Names of the seaborn and pandas functions on the stack, outermost first."""
    names: list[str] = []
    frame = sys._getframe(2)
    while frame is not None:
        module = frame.f_globals.get("__name__", "")
        if module.startswith(LIBRARIES):
            names.append(frame.f_code.co_name)
            if module.startswith("pandas") and isinstance(frame.f_locals.get("kind"), str):
                names.append(f"pandas.{frame.f_locals['kind']}")
        frame = frame.f_back  # type: ignore[assignment]
    return tuple(reversed(names))


class Provenance:
    """Records every plotting call while installed. One at a time."""

    def __init__(self) -> None:
        """Nothing is recorded until it is installed."""
        self._active: list[Call] = []
        self._made: WeakKeyDictionary[Artist, Call] = WeakKeyDictionary()
        self._calls: WeakKeyDictionary[Axes, list[Call]] = WeakKeyDictionary()
        self._originals: list[tuple[type, str, Callable[..., Any]]] = []

    def install(self) -> None:
        """Wrap the plotting methods of Axes and Axes3D."""
        for owner in (Axes, Axes3D):
            for name in METHODS:
                original = owner.__dict__.get(name)
                if callable(original):
                    self._originals.append((owner, name, original))
                    setattr(owner, name, self._wrapped(name, original))

    def uninstall(self) -> None:
        """Put the methods back as they were."""
        for owner, name, original in reversed(self._originals):
            setattr(owner, name, original)
        self._originals.clear()

    def __enter__(self) -> Provenance:
        """Install."""
        self.install()
        return self

    def __exit__(self, *_: object) -> None:
        """Uninstall."""
        self.uninstall()

    def _wrapped(self, name: str, original: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def method(axes: Axes, *args: Any, **kwargs: Any) -> Any:
            parent = self._active[-1] if self._active else None
            callers = parent.callers if parent else library_callers()
            call = Call(name, axes, args, kwargs, parent, callers)
            before = len(axes._children)  # type: ignore[attr-defined]
            self._active.append(call)
            try:
                call.result = original(axes, *args, **kwargs)
            finally:
                self._active.pop()
            self._note(call, before)
            return call.result

        return method

    def _note(self, call: Call, before: int) -> None:
        call.made = list(call.axes._children[before:])  # type: ignore[attr-defined]
        self._calls.setdefault(call.axes, []).append(call)
        for artist in call.made:
            self._made.setdefault(artist, call)

    def chain(self, artist: Artist) -> list[Call]:
        """The calls that made an artist, innermost first; empty where none is known."""
        call = self._made.get(artist)
        return list(call.chain()) if call else []

    def names(self, artist: Artist) -> set[str]:
        """Names of the calls that made an artist, with the library functions around them."""
        chain = self.chain(artist)
        return {call.name for call in chain} | set(chain[-1].callers if chain else ())

    def calls(self, axes: Axes, *names: str) -> list[Call]:
        """The calls of these methods on these axes whose artists are still there, in order."""
        present = {id(child) for child in axes._children}  # type: ignore[attr-defined]
        return [
            call
            for call in self._calls.get(axes, [])
            if call.name in names and any(id(artist) in present for artist in call.made)
        ]
