"""Every figure a script makes, at the moments it saves, shows, closes or leaves them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import matplotlib.pyplot as plt
from matplotlib._pylab_helpers import Gcf
from matplotlib.artist import Artist
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from plotchain_lib.suites.matplotgym.figure.calls import Provenance
from plotchain_lib.suites.matplotgym.figure.extract import extract
from plotchain_lib.suites.matplotgym.figure.spec import FigureSpec


@dataclass
class Shot:
    """One state of one figure: its spec, what it consisted of, and how often it was saved."""

    figure: Figure
    spec: FigureSpec
    artists: list[Artist]
    saved: bool
    moment: int


class Capture:
    """Records figures while it is entered; `shots` are in the order of their last moment."""

    def __init__(self) -> None:
        """Nothing is recorded until it is entered."""
        self.shots: list[Shot] = []
        self._provenance = Provenance()
        self._undo: list[Callable[[], None]] = []
        self._moment = 0
        self._within: list[Figure] = []

    def __enter__(self) -> Capture:
        """Wrap the drawing methods, `savefig`, `close`, `clf` and `show`."""
        self._provenance.install()
        self._hook(Figure, "savefig", saved=True)
        self._hook(FigureCanvasAgg, "print_figure", saved=True)
        self._hook(Figure, "clear", saved=False)
        self._leave_idle()
        self._hook_pyplot("close")
        self._hook_pyplot("show")
        return self

    def __exit__(self, *_: object) -> None:
        """Take the figures still open, then put everything back."""
        self._open_figures()
        while self._undo:
            self._undo.pop()()
        self._provenance.uninstall()

    def _hook(self, owner: Any, name: str, *, saved: bool) -> None:
        original = getattr(owner, name)

        @functools.wraps(original)
        def method(subject: Any, *args: Any, **kwargs: Any) -> Any:
            figure = subject if isinstance(subject, Figure) else subject.figure
            if figure.axes and figure not in self._within:  # `savefig` prints the figure it has
                self.take(figure, saved=saved)
            self._within.append(figure)
            try:
                return original(subject, *args, **kwargs)
            finally:
                self._within.pop()

        setattr(owner, name, method)
        self._undo.append(lambda: setattr(owner, name, original))

    def _leave_idle(self) -> None:
        """No second drawing after each `plt.savefig`: that is for a window, and there is none."""
        original = FigureCanvasAgg.draw_idle
        FigureCanvasAgg.draw_idle = lambda *_, **__: None  # type: ignore[method-assign]
        self._undo.append(lambda: setattr(FigureCanvasAgg, "draw_idle", original))

    def _hook_pyplot(self, name: str) -> None:
        original = getattr(plt, name)

        @functools.wraps(original)
        def function(*args: Any, **kwargs: Any) -> Any:
            self._open_figures()
            return original(*args, **kwargs)

        setattr(plt, name, function)
        self._undo.append(lambda: setattr(plt, name, original))

    def _open_figures(self) -> None:
        # through the managers: plt.figure(n) would change the script's current figure
        for manager in list(Gcf.figs.values()):
            figure = manager.canvas.figure
            if figure.axes:
                self.take(figure, saved=False)

    def take(self, figure: Figure, *, saved: bool) -> None:
        """Note the figure as it stands; a later state replaces an earlier one it grew from."""
        self._moment += 1
        artists = [child for axes in figure.axes for child in axes.get_children()]
        spec = extract(figure, self._provenance)
        present = {id(artist) for artist in _own(artists)}
        for shot in self.shots:
            grew = any(id(artist) in present for artist in _own(shot.artists))
            if shot.figure is figure and (grew or shot.spec.empty):
                if not saved and shot.saved and not grew:
                    continue
                shot.spec, shot.artists = spec, artists
                shot.saved, shot.moment = (
                    shot.saved or saved,
                    (self._moment if saved or not shot.saved else shot.moment),
                )
                self.shots.sort(key=lambda s: s.moment)
                return
        self.shots.append(Shot(figure, spec, artists, saved, self._moment))

    def chosen(self) -> int | None:
        """Index of the last saved figure that shows something, else the last that does."""
        full = [i for i, shot in enumerate(self.shots) if not shot.spec.empty]
        saved = [i for i in full if self.shots[i].saved]
        best = saved or full
        return best[-1] if best else None


def _own(artists: list[Artist]) -> list[Artist]:
    """The artists of data, without the furniture every set of axes has."""
    return [a for a in artists if type(a).__name__ not in ("Spine", "XAxis", "YAxis", "Text")]
