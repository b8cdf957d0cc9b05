"""Tests for calibrating axes, on pictures of ordinary Matplotlib calls."""

import io
from collections.abc import Callable

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import style as sheets
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from plotchain_lib.models.reader.calibration import calibrate
from plotchain_lib.models.reader.consensus import agree
from plotchain_lib.models.reader.frame import find_frame
from plotchain_lib.models.reader.picture import decode
from plotchain_lib.models.reader.seen import Axis, UnreadableError

Drawing = Callable[[Axes], object]


class Drawn:
    """Matplotlib axes from `low` to `high`, and the file of their picture."""

    def __init__(
        self, x: tuple[float, float], y: tuple[float, float], scales: str = "linear linear",
        change: Drawing = lambda _axes: None, sheet: str = "", dpi: float = 100,
        scale: float = 1.0, quality: int = 0, **settings: object,
    ) -> None:  # fmt: skip
        with mpl.rc_context({**(dict(sheets.library[sheet]) if sheet else {}), **settings}):
            figure = Figure(figsize=(5.0, 3.4), dpi=dpi)
            canvas = FigureCanvasAgg(figure)
            axes = figure.add_axes((0.2, 0.18, 0.76, 0.72))
            axes.set(xscale=scales.split()[0], yscale=scales.split()[1], xlim=x, ylim=y)
            axes.set(xlabel="Length (m)", ylabel="Weight (kg)", title="Pikes of the lake")
            change(axes)
            canvas.draw()
        image = Image.fromarray(np.asarray(canvas.buffer_rgba())).convert("RGB")
        size = (round(image.width * scale), round(image.height * scale))
        image = image.resize(size, Image.Resampling.LANCZOS) if scale != 1 else image
        stream = io.BytesIO()
        image.save(stream, "JPEG" if quality else "PNG", quality=quality)
        self.data = stream.getvalue()
        extent = axes.get_window_extent()
        height = figure.bbox.height
        self.x = [
            (edge * scale - 0.5, value) for edge, value in zip(extent.intervalx, x, strict=True)
        ]
        self.y = [
            ((height - e) * scale - 0.5, value)
            for e, value in zip(extent.intervaly, y, strict=True)
        ]

    def calibrated(self) -> tuple[Axis, Axis]:
        picture = decode(self.data)
        return calibrate(picture, find_frame(picture))

    def check(self, scales: str = "linear linear") -> tuple[Axis, Axis]:
        found = self.calibrated()
        assert f"{found[0].scale} {found[1].scale}" == scales
        for axis, ends in zip(found, (self.x, self.y), strict=True):
            for place, value in ends:
                assert axis.place(value) == pytest.approx(place, abs=1.5)
        return found


def test_negative_numbers_and_decimals() -> None:
    x, y = Drawn((-7.3, 12.1), (-0.034, 0.021)).check()
    assert {mark.value for mark in y.marks} <= {-0.03, -0.02, -0.01, 0.0, 0.01, 0.02}
    assert all(mark.fits for mark in (*x.marks, *y.marks))
    assert max(x.residual, y.residual) < 0.6
    assert [mark.place for mark in x.marks] == sorted(mark.place for mark in x.marks)


def test_decades_with_raised_exponents() -> None:
    x, _ = Drawn((3e-3, 4e4), (0.7, 900), "log log").check("log log")
    assert {mark.text for mark in x.marks} <= {f"10^{k}" for k in range(-2, 5)}


def test_less_than_a_decade() -> None:
    def label(axes: Axes) -> None:
        axes.set_xticks([100, 150, 200, 300, 500], ["100", "150", "200", "300", "500"])
        axes.set_yticks([2000, 2500, 3000, 3500], ["2000", "2500", "3000", "3500"])
        axes.minorticks_off()

    Drawn((90, 600), (1900, 4000), "log log", label).check("log log")


def test_exponents_in_line() -> None:
    def label(axes: Axes) -> None:
        axes.set_xticks([1e3, 1e4, 1e5, 1e6], ["1e3", "1e4", "1e5", "1e6"])

    Drawn((1e3, 1e6), (0, 50), "log linear", label).check("log linear")


def test_factors_at_the_ends() -> None:
    x, y = Drawn((0, 3.2e7), (-4e-6, 9e-6)).check()
    assert max(mark.value for mark in x.marks) == pytest.approx(3e7)
    assert min(mark.value for mark in y.marks) == pytest.approx(-4e-6)


def test_labels_that_nearly_touch() -> None:
    def crowd(axes: Axes) -> None:
        axes.set_xticks(np.arange(8) * 0.0025)
        axes.tick_params(axis="x", labelsize=8)

    x, _ = Drawn((-0.001, 0.019), (0, 4), change=crowd).check()
    assert {mark.value for mark in x.marks} <= {round(0.0025 * k, 4) for k in range(8)}


def test_two_labels_with_regular_steps() -> None:
    def thin(axes: Axes) -> None:
        axes.set_yticks([0, 2])

    Drawn((0, 10), (0, 2.7), change=thin).check()


@pytest.mark.parametrize("sheet", ["ggplot", "seaborn-v0_8", "dark_background"])
def test_style_sheets(sheet: str) -> None:
    Drawn((-3, 9), (20, 30000), "linear log", sheet=sheet).check("linear log")


@pytest.mark.parametrize(
    "settings",
    [
        {"font.family": "serif", "xtick.direction": "in", "ytick.direction": "in", "dpi": 150},
        {"axes.spines.top": False, "axes.spines.right": False, "quality": 60},
        {"dpi": 160, "scale": 0.7, "quality": 60, "axes.grid": True},
    ],
    ids=["serif-inward", "jpeg", "smaller-jpeg"],
)
def test_other_ways_of_drawing(settings: dict[str, object]) -> None:
    Drawn((-120, 260), (0.02, 40), "linear log", **settings).check("linear log")  # type: ignore[arg-type]


def test_a_wrong_label_is_outvoted() -> None:
    def misprint(axes: Axes) -> None:
        axes.set_xticks([0, 1, 2, 3, 4], ["0", "1", "7", "3", "4"])

    x, _ = Drawn((-0.5, 4.5), (0, 1), change=misprint).check()
    assert [(mark.value, mark.fits) for mark in x.marks if not mark.fits] == [(7.0, False)]


def no_numbers(axes: Axes) -> None:
    axes.set_xticks([0, 1, 2, 3], ["north", "east", "south", "west"])


def no_labels(axes: Axes) -> None:
    axes.tick_params(labelleft=False)


def no_order(axes: Axes) -> None:
    axes.set_xticks([0, 1, 2, 3, 4], ["3", "8", "1", "60", "2"])


def one_label(axes: Axes) -> None:
    axes.set_yticks([0.5])


def two_odd_labels(axes: Axes) -> None:
    axes.set_xticks([0, 4], ["3", "12.7"])


def backwards(axes: Axes) -> None:
    axes.invert_xaxis()


@pytest.mark.parametrize(
    ("change", "axis"),
    [(no_numbers, "x"), (no_labels, "y"), (no_order, "x"), (one_label, "y"),
     (two_odd_labels, "x"), (backwards, "x")],
)  # fmt: skip
def test_no_calibration_without_proof(change: Drawing, axis: str) -> None:
    with pytest.raises(UnreadableError, match=f"the {axis} axis cannot be calibrated"):
        Drawn((-0.5, 4.5), (0, 1), change=change).calibrated()


def test_consensus_leaves_outliers_out() -> None:
    place = np.array([10.0, 20.0, 30.4, 40.0, 50.0])
    fit = agree(place, np.array([1.0, 2.0, 3.0, np.nan, 9.0]), 1.0, rising=True)
    assert fit is not None
    assert fit.fits.tolist() == [True, True, True, False, False]
    assert fit.gain == pytest.approx(0.1, rel=0.03)
    assert agree(place, -place, 1.0, rising=True) is None


def test_consensus_leaves_out_what_alone_is_off_the_line_of_four() -> None:
    place = np.array([98.5, 159.5, 220.5, 281.5, 341.5, 402.5, 466.0])  # the last 2.5 pixels off
    fit = agree(place, np.arange(-20.0, -90, -10), 1.7, rising=False)
    assert fit is not None
    assert fit.fits.tolist() == [True] * 6 + [False]
    assert fit.residual < 0.5
    few = agree(place[[0, 1, 2, 6]], np.array([-20.0, -30.0, -40.0, -80.0]), 1.7, rising=False)
    assert few is not None
    assert few.fits.all()


def test_a_logarithmic_axis_without_a_single_mark() -> None:
    x, _ = Drawn((1900, 15000), (0, 5), "log linear", sheet="seaborn-v0_8").check("log linear")
    assert {mark.text for mark in x.marks} >= {"2×10^3", "6×10^3", "10^4"}


def test_rules_along_an_edge_and_out_of_the_axes() -> None:
    def rules(axes: Axes) -> None:
        axes.axhline(-28.2, color="#444444", linestyle=":")
        axes.axvline(0, color="#808080", linewidth=1)
        axes.plot([-8, -5, 4, 6], [-28.2, -28.2, 37, 37])

    x, y = Drawn((-7.9, 5.9), (-30.2, 39), change=rules, sheet="seaborn-v0_8").check()
    assert len(x.marks) >= 5
    assert {-30.0, 0.0, 30.0} <= {mark.value for mark in y.marks}


def test_an_image_without_marks() -> None:
    def noisy(axes: Axes) -> None:
        noise = np.random.default_rng(0).random((40, 80)) + 3 * (np.arange(80) > 30)
        axes.imshow(noise, extent=(0, 1.02, 0, 22), aspect="auto", origin="lower")
        axes.grid(False)

    Drawn((0, 1.02), (0, 22), change=noisy, sheet="seaborn-v0_8").check()


def test_labels_of_minor_ticks_stand_close_to_the_axes() -> None:
    x, y = Drawn((1900, 9000), (190, 1200), "log log", change=lambda a: a.minorticks_on()).check(
        "log log"
    )
    assert {"2×10^3", "6×10^3"} <= {mark.text for mark in x.marks}
    assert {"2×10^2", "6×10^2"} <= {mark.text for mark in y.marks}


def test_an_exponent_that_was_not_told_from_its_ten_is_outvoted() -> None:
    def misprint(axes: Axes) -> None:
        axes.set_xticks([1e3, 1e4, 1e5], ["103", "$10^4$", "$10^5$"])

    x, _ = Drawn((900, 3e5), (0, 1), "log linear", misprint).check("log linear")
    assert [mark.text for mark in x.marks if not mark.fits] == ["103"]


@pytest.mark.parametrize("width", [0.72, 1.44], ids=["odd", "even"])
def test_ticks_on_whole_pixels_mean_what_lies_before_them(width: float) -> None:
    settings = {"xtick.major.width": width, "ytick.major.width": width, "axes.linewidth": width}
    drawn = Drawn((0.3, 9.7), (-3.1, 6.4), change=lambda a: a.locator_params(nbins=9), **settings)
    for axis, ends in zip(drawn.calibrated(), (drawn.x, drawn.y), strict=True):
        assert np.mean([axis.place(value) - place for place, value in ends]) == pytest.approx(
            0, abs=0.25
        )


def test_minor_ticks_as_long_as_major_ones() -> None:
    def crowd(axes: Axes) -> None:
        axes.set_xticks(np.arange(250, 2001, 250))
        axes.set_xticks(np.arange(50, 2050, 50), minor=True)
        axes.tick_params(which="both", direction="in", length=4)

    x, _ = Drawn((0, 2030), (-55, 5), change=crowd).check()
    assert all(mark.value % 250 == 0 for mark in x.marks)


def separators(axes: Axes) -> None:
    axes.set_xticks([200, 500, 1000, 1500, 2000], ["200", "500", "1,000", "1,500", "2,000"])


def offset(axes: Axes) -> None:
    axes.ticklabel_format(axis="x", useOffset=1e6)


@pytest.mark.parametrize(("change", "start"), [(separators, 0.0), (offset, 1e6)])
def test_labels_that_do_not_say_their_value_alone(change: Drawing, start: float) -> None:
    with pytest.raises(UnreadableError, match="the x axis cannot be calibrated"):
        Drawn((start + 10, start + 2100), (0, 4), change=change).calibrated()


def test_decimal_commas() -> None:
    def commas(axes: Axes) -> None:
        axes.set_xticks([0, 0.5, 1, 1.5, 2], ["0,0", "0,5", "1,0", "1,5", "2,0"])

    Drawn((-0.1, 2.2), (0, 4), change=commas).check()
