import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from PIL import Image

from plotchain_lib.models.reader.picture import decode
from plotchain_lib.models.reader.seen import Box, Picture

WIDTH, HEIGHT, MARGIN = 620, 400, 70  # pixels


@dataclass
class Plot:
    """Matplotlib axes at a known place, and the picture of them."""

    figure: Figure
    axes: Axes
    settings: dict[str, Any]

    def see(self, jpeg: int | None = None) -> tuple[Picture, Box]:
        with rc_context(self.settings):
            FigureCanvasAgg(self.figure).draw()
        image = Image.fromarray(np.asarray(self.figure.canvas.buffer_rgba())).convert("RGB")  # type: ignore[attr-defined]
        data = io.BytesIO()
        image.save(data, "JPEG" if jpeg else "PNG", quality=jpeg or 0)
        picture = decode(data.getvalue())
        x0, y0, x1, y1 = self.axes.get_window_extent().extents
        face = np.array(to_rgb(self.axes.get_facecolor())) * 255
        if picture.inverted:
            face = 255 - face
        left, right, top, bottom = x0 - 0.5, x1 - 0.5, HEIGHT - y1 - 0.5, HEIGHT - y0 - 0.5
        return picture, Box(left, top, right, bottom, 2.0, (face[0], face[1], face[2]))

    def place(self, x: Any, y: Any) -> tuple[Any, Any]:
        """Values to pixels of the picture."""
        points = np.stack([np.atleast_1d(x), np.atleast_1d(y)], axis=1).astype(float)
        found = self.axes.transData.transform(points)
        return found[:, 0] - 0.5, HEIGHT - found[:, 1] - 0.5


@pytest.fixture
def plot() -> Iterator[Callable[..., Plot]]:
    """Makes axes with x and y from 0 to 10 unless told; a style sheet or settings may be given."""

    def make(
        style: str | None = None, dpi: float = 120.0, limits: tuple[float, ...] = (0, 10, 0, 10),
        grid: bool = True, **settings: Any,
    ) -> Plot:  # fmt: skip
        sheet: dict[str, Any] = {}
        if style:
            from matplotlib import style as sheets

            sheet = dict(sheets.library[style])
        used = {**sheet, "figure.dpi": dpi, **settings}
        with rc_context(used):
            figure = Figure(figsize=(WIDTH / dpi, HEIGHT / dpi), dpi=dpi)
            across, up = MARGIN / WIDTH, MARGIN / HEIGHT
            axes = figure.add_axes((across, up, 1 - 1.5 * across, 1 - 1.5 * up))
            axes.set(xlim=limits[:2], ylim=limits[2:])
            if grid and not style:
                axes.grid(color="#cccccc", linewidth=0.8)
                axes.set_axisbelow(True)
        return Plot(figure, axes, used)

    yield make
