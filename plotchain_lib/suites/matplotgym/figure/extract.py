"""One Matplotlib figure → its spec."""

from __future__ import annotations

from collections import Counter

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis, Tick
from matplotlib.collections import Collection
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from matplotlib.patches import FancyArrowPatch, Patch, Rectangle
from matplotlib.spines import Spine
from matplotlib.text import Text

from plotchain_lib.suites.matplotgym.figure.calls import Provenance
from plotchain_lib.suites.matplotgym.figure.canonical import merge_palette, unify
from plotchain_lib.suites.matplotgym.figure.categories import categories, labelled, undo_periods
from plotchain_lib.suites.matplotgym.figure.overlays import find_overlays
from plotchain_lib.suites.matplotgym.figure.panels import axis_spec, candidate_axes, place
from plotchain_lib.suites.matplotgym.figure.read_bars import (
    read_containers,
    read_histograms,
    read_patches,
    read_stairs,
)
from plotchain_lib.suites.matplotgym.figure.read_collections import (
    read_fills,
    read_points,
    read_segments,
)
from plotchain_lib.suites.matplotgym.figure.read_distributions import (
    read_boxens,
    read_boxes,
    read_violins,
)
from plotchain_lib.suites.matplotgym.figure.read_fields import (
    read_arrows,
    read_contours,
    read_hexagons,
    read_images,
    read_meshes,
    read_pies,
)
from plotchain_lib.suites.matplotgym.figure.read_lines import read_lines, read_references
from plotchain_lib.suites.matplotgym.figure.read_solids import read_solids
from plotchain_lib.suites.matplotgym.figure.reading import Reading
from plotchain_lib.suites.matplotgym.figure.spec import FigureSpec, Floats, Mark, Overlay, PanelSpec

# The order matters: what only its call tells apart comes before what any artist of its class is.
READERS = (
    read_boxes,
    read_violins,
    read_boxens,
    read_histograms,
    read_contours,
    read_arrows,
    read_containers,
    read_stairs,
    read_references,
    read_lines,
    read_images,
    read_meshes,
    read_hexagons,
    read_points,
    read_fills,
    read_segments,
    read_patches,
)
FURNITURE = (Text, Legend, Axis, Spine, Tick)


def extract(figure: Figure, provenance: Provenance) -> FigureSpec:
    """The spec of a figure as it stands now. The figure is not changed.

    Every artist ends in a mark, in an overlay or in `unrepresented`.
    """
    spec, kept = FigureSpec(), []
    for axes in candidate_axes(figure):
        try:
            reading = read_axes(axes, provenance)
            panel = _panel(reading)
        except Exception as error:  # a figure must not fail because it cannot be read
            words = f"{type(error).__name__}: {error}".splitlines()[0]
            spec.unrepresented.append(f"axes {axes.get_title()!r} could not be read: {words}")
            continue
        if not reading.marks and not reading.overlays and not reading.unread:
            continue
        where = f"panel {len(spec.panels)}"
        for text, count in Counter(reading.unread).items():
            spec.unrepresented.append(f"{where}: {text}" + (f" ({count})" if count > 1 else ""))
        spec.panels.append(panel)
        kept.append(axes)
    place(spec.panels, kept)
    for kind in (figure.lines, figure.patches, figure.images):
        if kind:
            name = type(kind[0]).__name__
            spec.unrepresented.append(f"figure: {len(kind)} {name} outside every panel")
    return spec


def read_axes(axes: Axes, provenance: Provenance) -> Reading:
    """Marks and overlays of one set of axes, positions still as numbers."""
    reading = Reading(axes, provenance)
    if axes.name == "3d":
        read_solids(reading)
    else:
        for reader in READERS:
            reader(reading)
        unify(reading)
        find_overlays(reading)
        read_pies(reading)  # after what expects positions to be numbers
    _annotations(reading)
    for artist in reading.left(object):
        if not isinstance(artist, FURNITURE) and not _is_nothing(artist):
            reading.unread.append(_describe(reading, artist))
    return reading


def _annotations(reading: Reading) -> None:
    for call in reading.provenance.calls(reading.axes, "annotate", "text"):
        if call.callers or call.parent:  # texts a library or a pie puts next to its marks
            continue
        for text in call.made:
            if isinstance(text, Text) and text.get_text().strip():
                x, y = text.get_position()
                reading.take([text])
                note = Overlay("annotation", text=text.get_text())
                if isinstance(x, int | float) and isinstance(y, int | float):
                    note.x, note.y = [float(x)], [float(y)]
                reading.overlays.append(note)


def _is_nothing(artist: object) -> bool:
    """Proxies for legends and other artists that draw nothing."""
    if isinstance(artist, Line2D):
        return len(np.atleast_1d(artist.get_xdata())) == 0
    if isinstance(artist, Rectangle):
        return not (artist.get_width() and artist.get_height())
    if isinstance(artist, FancyArrowPatch):
        return False
    if isinstance(artist, Collection):
        return not any(len(np.asarray(path.vertices)) for path in artist.get_paths())
    return isinstance(artist, Patch) and not len(np.asarray(artist.get_path().vertices))


def _describe(reading: Reading, artist: object) -> str:
    calls = reading.provenance.chain(artist)  # type: ignore[arg-type]
    name = type(artist).__name__
    return f"{name} drawn by {calls[-1].name}" if calls else name


def _panel(reading: Reading) -> PanelSpec:
    axes = reading.axes
    undo_periods(axes, reading.marks, reading.overlays)
    panel = PanelSpec(projection=axes.name)
    panel.x, panel.y = axis_spec(axes, "x"), axis_spec(axes, "y")
    panel.marks, panel.overlays = reading.marks, reading.overlays
    for name in ("x", "y"):
        _categorise(reading, panel, name)
    panel.marks = merge_palette(reading)
    looks: dict[object, int] = {}
    for mark in panel.marks:
        mark.look = looks.setdefault(mark.style, len(looks))
    for overlay in panel.overlays:
        if overlay.owner is not None:
            places = (i for i, m in enumerate(panel.marks) if m is overlay.owner)
            overlay.of = next(places, None)
    return panel


def _on_axis(mark: Mark, name: str) -> str:
    """Which of a mark's fields runs along this axis: `x` or `y`."""
    if mark.orientation == "horizontal":
        return "y" if name == "x" else "x"
    return name


def _categorise(reading: Reading, panel: PanelSpec, name: str) -> None:
    axis: Axis = reading.axes.xaxis if name == "x" else reading.axes.yaxis
    marks = [m for m in panel.marks if m.kind != "pie"]
    loose = all(m.kind in ("bar", "box", "violin", "scatter") for m in marks)
    parts = [np.asarray(getattr(m, _on_axis(m, name)), dtype=float) for m in marks]
    positions: Floats = np.concatenate(parts) if parts else np.zeros(0)
    positions = positions[np.isfinite(positions)]
    discrete = any(m.kind in ("bar", "box", "violin") for m in marks)
    found = categories(axis, positions, loose=loose or discrete)
    if found is None:
        return
    getattr(panel, name).categories = found[1]
    for mark in marks:
        field = _on_axis(mark, name)
        if field == "x" or mark.orientation is None:
            setattr(mark, field, labelled(getattr(mark, field), found))
    upright = "vertical" if name == "x" else "horizontal"
    for overlay in panel.overlays:
        if overlay.kind in ("error_bar", "band") and overlay.orientation == upright:
            overlay.x = labelled(overlay.x, found)
