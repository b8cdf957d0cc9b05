"""Two ways to draw one figure → one spec."""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
import seaborn as sns

sys.path.insert(0, str(Path(__file__).parent))

from figure_kinds import Draw, brief, spec_of

X = np.array([1.0, 2.0, 3.0])
Y = np.array([2.0, 1.0, 4.0])
FRAME = pd.DataFrame({"x": X, "y": Y})
SERIES = pd.Series(Y, index=list("abc"))
LONG = pd.DataFrame({"g": list("aabb"), "v": [1.0, 3, 2, 4]})
WIDE = pd.DataFrame({"p": [2.0, 1, 4], "q": [1.0, 1, 1]}, index=list("abc"))
GRID = np.arange(6.0).reshape(2, 3)


def loop_of_points() -> None:
    for x, y in zip(X, Y, strict=True):
        plt.plot(x, y, "ko")


def loop_of_bars() -> None:
    for name, y in SERIES.items():
        plt.bar(name, y, color="C0")


def loop_of_groups() -> None:
    for i, name in enumerate("abc"):
        for j, (column, colour) in enumerate(zip("pq", "rb", strict=True)):
            plt.bar(i + 0.4 * j, WIDE.loc[name, column], 0.4, color=colour)
    plt.xticks([0.2, 1.2, 2.2], list("abc"))


def unlabelled_bars() -> None:
    WIDE.plot.bar()
    for bars in plt.gca().containers:
        bars.set_label("_")
    for patch in plt.gca().patches:
        patch.set_label("_")


def line_with_band() -> None:
    plt.plot(X, Y)
    plt.fill_between(X, Y - 1, Y + 1)


def band_with_line() -> None:
    plt.fill_between(X, Y + 1, Y - 1, color="r")
    plt.plot(X, Y, "g--")


def mosaic() -> None:
    axes = plt.figure().subplot_mosaic("AB")
    axes["A"].plot(X, Y)
    axes["B"].bar(X, Y)


def subplots() -> None:
    plt.subplot(1, 2, 1)
    plt.plot(X, Y)
    plt.subplot(122)
    plt.bar(X, Y)


def nested_figures() -> None:
    left, right = plt.figure().subfigures(1, 2)
    left.subplots().plot(X, Y)
    right.subplots().bar(X, Y)


def by_vlines() -> None:
    plt.scatter(X, Y)
    plt.vlines(X, Y - 1, Y + 1)


def by_two_point_lines() -> None:
    plt.scatter(X, Y)
    for x, y in zip(X, Y, strict=True):
        plt.plot([x, x], [y - 1, y + 1], "k-")


def reference_by_plot() -> None:
    plt.plot(X, Y)
    plt.plot([1, 3], [2, 2], ":")


def reference_by_axhline() -> None:
    plt.plot(X, Y)
    plt.axhline(2)


PAIRS: list[tuple[str, Draw, Draw]] = [
    ("plot('o') and scatter", lambda: plt.plot(X, Y, "o"), lambda: plt.scatter(X, Y)),
    ("scatter and a loop of points", lambda: plt.scatter(X, Y), loop_of_points),
    ("scatter in another order", lambda: plt.scatter(X, Y), lambda: sns.scatterplot(FRAME, x="x", y="y")),
    ("pandas and Matplotlib lines", lambda: FRAME.plot(x="x", y="y", legend=False, label="_"), lambda: plt.plot(X, Y)),
    ("seaborn and Matplotlib lines", lambda: sns.lineplot(FRAME, x="x", y="y"), lambda: plt.plot(X, Y)),
    ("line with markers, line over points", lambda: plt.plot(X, Y, "o-"), lambda: (plt.scatter(X, Y), plt.plot(X, Y))),
    ("bars and a loop of bars", lambda: plt.bar(list("abc"), Y), loop_of_bars),
    ("bars and pandas bars", lambda: plt.bar(list("abc"), Y), lambda: SERIES.plot.bar(width=0.8)),
    ("bars and seaborn bars", lambda: plt.bar(list("abc"), Y), lambda: sns.barplot(x=list("abc"), y=Y)),
    ("grouped bars and a loop", unlabelled_bars, loop_of_groups),
    ("hist and pandas hist", lambda: plt.hist([0, 0, 1], [0, 1, 2]), lambda: pd.Series([0, 0, 1]).hist(bins=[0, 1, 2])),
    ("hist and step hist", lambda: plt.hist([0, 0, 1], [0, 1, 2]), lambda: plt.hist([0, 0, 1], [0, 1, 2], histtype="step")),
    ("hist and stairs", lambda: plt.hist([0, 0, 1], [0, 1, 2]), lambda: plt.stairs(*np.histogram([0, 0, 1], [0, 1, 2]))),
    ("hist and histplot", lambda: plt.hist([0, 0, 1], [0, 1, 2]), lambda: sns.histplot([0, 0, 1], bins=[0, 1, 2], legend=False)),
    ("boxplot and seaborn's", lambda: plt.boxplot([[1, 3], [2, 4]], tick_labels=["a", "b"]), lambda: sns.boxplot(LONG, x="g", y="v")),
    ("boxplot and pandas'", lambda: plt.boxplot([[1, 3], [2, 4]], tick_labels=["a", "b"]), lambda: LONG.boxplot("v", by="g")),
    ("imshow and heat map without bar", lambda: plt.imshow(GRID), lambda: plt.pcolormesh(range(3), range(2), GRID)),
    ("band before and after its line", line_with_band, band_with_line),
    ("subplot and mosaic", subplots, mosaic),
    ("subplot and subfigures", subplots, nested_figures),
    ("errorbar and vlines", lambda: plt.errorbar(X, Y, yerr=1, fmt="o"), by_vlines),
    ("errorbar and two-point lines", lambda: plt.errorbar(X, Y, yerr=1, fmt="o"), by_two_point_lines),
    ("axhline and plot", reference_by_axhline, reference_by_plot),
    ("stem and vlines with points", lambda: plt.stem(X, Y), lambda: (plt.vlines(X, 0, Y), plt.scatter(X, Y))),
    ("semilogy and set_yscale", lambda: plt.semilogy(X, Y), lambda: (plt.plot(X, Y), plt.yscale("log"))),
    ("stackplot and two fills", lambda: plt.stackplot(X, Y, Y), lambda: (plt.fill_between(X, 0, Y), plt.fill_between(X, Y, 2 * Y, color="r"))),
    ("step and its draw style", lambda: plt.step(X, Y), lambda: plt.plot(X, Y, ds="steps-pre")),
    ("ecdf and seaborn's", lambda: plt.ecdf([1, 2, 3]), lambda: sns.ecdfplot([1, 2, 3], legend=False)),
    ("contour and filled contour", lambda: plt.contour(GRID), lambda: plt.contourf(GRID, levels=3)),
]  # fmt: skip


@pytest.mark.parametrize("pair", PAIRS, ids=[name for name, _, _ in PAIRS])
def test_one_spec(pair: tuple[str, Draw, Draw]) -> None:
    _, one, other = pair
    assert brief(spec_of(one)) == brief(spec_of(other))


def test_panels_stand_where_they_stand_however_made() -> None:
    places = [
        [(p["row"], p["column"], p["row_span"], p["column_span"]) for p in spec_of(draw)["panels"]]
        for draw in (subplots, mosaic, nested_figures)
    ]
    assert places == [[(0, 0, 1, 1), (0, 1, 1, 1)]] * 3


def test_a_panel_over_two_columns() -> None:
    def draw() -> None:
        axes = plt.figure().subplot_mosaic("AA;BC")
        for panel in axes.values():
            panel.plot(X, Y)

    places = [
        (p["row"], p["column"], p["row_span"], p["column_span"]) for p in spec_of(draw)["panels"]
    ]
    assert places == [(0, 0, 1, 2), (1, 0, 1, 1), (1, 1, 1, 1)]


def test_shared_axes_are_groups_and_twins_are_not() -> None:
    def draw() -> None:
        _, (left, right) = plt.subplots(1, 2, sharey=True)
        left.plot(X, Y)
        right.plot(X, Y)
        right.twinx().plot(X, Y)

    panels = spec_of(draw)["panels"]
    assert [p["share_y"] for p in panels] == [0, 0, None]
    assert [p["share_x"] for p in panels] == [None, None, None]


def test_set_limits_are_told_from_automatic_ones() -> None:
    def draw() -> None:
        plt.plot(X, Y)
        plt.ylim(0, 10)

    (panel,) = spec_of(draw)["panels"]
    assert (panel["y"]["set_limits"], panel["y"]["limits"]) == (True, [0, 10])
    assert not panel["x"]["set_limits"]


def test_two_series_of_one_colour_look_alike() -> None:
    def draw() -> None:
        plt.plot(X, Y, "k")
        plt.plot(X, 2 * Y, "k")
        plt.plot(X, 3 * Y, "r")

    (panel,) = spec_of(draw)["panels"]
    assert [mark["look"] for mark in panel["marks"]] == [0, 0, 1]
