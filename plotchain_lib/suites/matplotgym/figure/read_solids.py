"""Three-dimensional axes: points, lines and surfaces; what else they hold is said."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.lines import Line2D

from plotchain_lib.suites.matplotgym.figure.reading import Reading, colour_style, floats, label_of
from plotchain_lib.suites.matplotgym.figure.spec import Mark

SURFACES = ("plot_surface", "plot_wireframe", "contour", "contourf", "contour3D", "contourf3D")


def read_solids(reading: Reading) -> None:
    """Everything of axes with three dimensions that has a mark here."""
    for call in reading.provenance.calls(reading.axes, *SURFACES):
        x, y, z = (np.asarray(value, dtype=float) for value in call.args[:3])
        if x.ndim == 1:
            x, y = np.meshgrid(x, y)
        reading.take(call.made)
        reading.marks.append(Mark("surface", x.ravel(), y.ravel(), z=z.ravel()))
    for line in reading.left(Line2D):
        reading.take([line])
        x, y, z = (floats(values) for values in line.get_data_3d())
        dots = str(line.get_linestyle()) in ("None", "none", "")
        mark = Mark("scatter" if dots else "line", x, y, z=z, label=label_of(line))
        mark.style = (colour_style(line.get_color()),)
        if len(x):
            reading.marks.append(mark)
    for points in reading.left(object):
        offsets: Any = getattr(points, "_offsets3d", None)
        if offsets is not None:
            reading.take([points])
            x, y, z = (floats(values) for values in offsets)
            mark = Mark("scatter", x, y, z=z, label=label_of(points))
            mark.style = (colour_style(points.get_facecolor()),)
            if len(x):
                reading.marks.append(mark)
