"""Figures drawn by Matplotlib's own calls, each with its spec in one line."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from figure_kinds import Draw, Kind
from matplotlib.collections import LineCollection
from matplotlib.colors import LogNorm
from matplotlib.patches import Circle

KINDS: list[Kind] = []
X = np.array([1.0, 2.0, 3.0])
Y = np.array([2.0, 1.0, 4.0])
GRID = np.arange(6.0).reshape(2, 3)
MANY = np.array([1.0, 2, 2, 3, 3, 3, 4, 4, 5, 9])
DENSE = np.linspace(0, 10, 50)


def kind(name: str, expected: str):
    def note(draw: Draw) -> Draw:
        KINDS.append((name, draw, expected))
        return draw

    return note


@kind("line", "line(1 2 3; 2 1 4; 'a')")
def _() -> None:
    plt.plot(X, Y, label="a")


@kind("two lines from a matrix", "line(1 2 3; 2 1 4) line(1 2 3; 4 2 8)")
def _() -> None:
    plt.plot(X, np.column_stack([Y, 2 * Y]))


@kind("line with a gap", "line(1 2 3; 2 nan 4)")
def _() -> None:
    plt.plot(X, [2, np.nan, 4])


@kind("markers joined by a line", "line(1 2 3; 2 1 4)")
def _() -> None:
    plt.plot(X, Y, "s-")


@kind("points by plot", "scatter(1 2 3; 2 1 4)")
def _() -> None:
    plt.plot(X, Y, "o")


@kind("scatter", "scatter(1 2 3; 2 1 4)")
def _() -> None:
    plt.scatter(X, Y)


@kind("scatter one by one", "scatter(1 2 3; 2 1 4)")
def _() -> None:
    for x, y in zip(X, Y, strict=True):
        plt.scatter(x, y, color="k")


@kind("scatter with a mapped colour", "scatter(1 2 3; 2 1 4; colour 7 8 9)")
def _() -> None:
    plt.scatter(X, Y, c=[7, 8, 9])
    plt.colorbar()


@kind("bubbles", "scatter(1 2 3; 2 1 4; sizes)")
def _() -> None:
    plt.scatter(X, Y, s=[10, 20, 30])


@kind("scatter coloured by group", "scatter(1 3; 2 4) scatter(2; 1)")
def _() -> None:
    plt.scatter(X, Y, c=["r", "b", "r"])


@kind("step", "step(1 2 3; 2 1 4)")
def _() -> None:
    plt.step(X, Y, where="post")


@kind("steps by draw style", "step(1 2 3; 2 1 4)")
def _() -> None:
    plt.plot(X, Y, drawstyle="steps-mid")


@kind("log axes", "x:log y:log line(1 2 3; 2 1 4)")
def _() -> None:
    plt.loglog(X, Y)


@kind("symlog axis", "y:symlog line(1 2 3; -2 0 4)")
def _() -> None:
    plt.plot(X, [-2, 0, 4])
    plt.yscale("symlog")


@kind("logit axis", "y:logit line(1 2 3; 0.1 0.5 0.9)")
def _() -> None:
    plt.plot(X, [0.1, 0.5, 0.9])
    plt.yscale("logit")


@kind("bars with category names", "bar(a b c; 2 1 4)")
def _() -> None:
    plt.bar(["a", "b", "c"], Y)


@kind("bars with tick labels", "bar(a b c; 2 1 4)")
def _() -> None:
    plt.bar(range(3), Y)
    plt.xticks(range(3), ["a", "b", "c"])


@kind("bars at numbers", "bar(1990 2000 2010; 2 1 4)")
def _() -> None:
    plt.bar([1990, 2000, 2010], Y, width=8)


@kind("bars that touch are bars", "bar(1 2 3; 2 1 4)")
def _() -> None:
    plt.bar(X, Y, width=1)


@kind("horizontal bars", "bar.h(a b c; 2 1 4)")
def _() -> None:
    plt.barh(["a", "b", "c"], Y)


@kind("grouped bars", "bar~grouped(a b c; 2 1 4; 'p') bar~grouped(a b c; 1 1 1; 'q')")
def _() -> None:
    plt.bar(np.arange(3) - 0.2, Y, 0.4, label="p")
    plt.bar(np.arange(3) + 0.2, [1, 1, 1], 0.4, label="q")
    plt.xticks(range(3), ["a", "b", "c"])


@kind("stacked bars", "bar~stacked(a b c; 2 1 4) bar~stacked(a b c; 1 1 1; base 2 1 4)")
def _() -> None:
    plt.bar(["a", "b", "c"], Y)
    plt.bar(["a", "b", "c"], [1, 1, 1], bottom=Y)


@kind("bars with error bars", "bar(a b; 2 4) +error_bar>0(a b; 1.5 3; 2.5 5)")
def _() -> None:
    plt.bar(["a", "b"], [2, 4], yerr=[0.5, 1])


@kind("bars one by one", "bar(a b c; 2 1 4)")
def _() -> None:
    for name, y, colour in zip("abc", Y, "rgb", strict=True):
        plt.bar(name, y, color=colour)


@kind("floating bars", "bar.h(0 1; 2 3; base 1 2)")
def _() -> None:
    plt.barh([0, 1], [2, 3], left=[1, 2])


@kind("histogram", "histogram(2 4 6 8; 3 5 1 1)")
def _() -> None:
    plt.hist([1, 2, 2, 3, 3, 3, 4, 4, 5, 9], bins=[1, 3, 5, 7, 9])


@kind(
    "histogram of two sets side by side",
    "histogram~grouped(0.5 1.5; 2 1; 'a') histogram~grouped(0.5 1.5; 1 2; 'b')",
)
def _() -> None:
    plt.hist([[0, 0, 1], [0, 1, 2]], bins=[0, 1, 2], label=["a", "b"])


@kind("stacked histogram", "histogram~stacked(0.5 1.5; 2 1) histogram~stacked(0.5 1.5; 1 2)")
def _() -> None:
    plt.hist([[0, 0, 1], [0, 1, 2]], bins=[0, 1, 2], stacked=True)


@kind("step histogram", "histogram(0.5 1.5; 2 1)")
def _() -> None:
    plt.hist([0, 0, 1], bins=[0, 1, 2], histtype="step")


@kind("filled step histogram as a density", "histogram(0.5 1.5; 0.6667 0.3333)")
def _() -> None:
    plt.hist([0, 0, 1], bins=[0, 1, 2], histtype="stepfilled", density=True)


@kind("horizontal histogram", "histogram.h(0.5 1.5; 2 1)")
def _() -> None:
    plt.hist([0, 0, 1], bins=[0, 1, 2], orientation="horizontal")


@kind("stairs", "histogram(0.5 1.5; 2 1)")
def _() -> None:
    plt.stairs([2, 1], [0, 1, 2])


@kind("ecdf", "step(n=10; n=10)")
def _() -> None:
    plt.ecdf(MANY)


@kind("box plot", "box(a b; 3 6; z 1 2 3 4 5/2 4 6 8 10)")
def _() -> None:
    plt.boxplot([[1, 2, 3, 4, 5], [2, 4, 6, 8, 10]])
    plt.xticks([1, 2], ["a", "b"])


@kind("horizontal box plot", "box.h(1; 3; z 1 2 3 4 5)")
def _() -> None:
    plt.boxplot([[1, 2, 3, 4, 5]], orientation="horizontal")


@kind("box plot with a reference line", "box(1; 3; z 1 2 3 4 5) +reference_line.h(2)")
def _() -> None:
    plt.boxplot([[1, 2, 3, 4, 5]])
    plt.axhline(2)


@kind("violins", "violin(1 2; 1.5 5)")
def _() -> None:
    plt.violinplot([np.linspace(1, 2, 2001), np.linspace(4, 6, 2001)], showextrema=True)


@kind("error bars along a line", "line(1 2 3; 2 1 4) +error_bar>0(1 2 3; 1.5 0.5 3.5; 2.5 1.5 4.5)")
def _() -> None:
    plt.errorbar(X, Y, yerr=0.5)


@kind("error bars without a data line", "scatter(1 2 3; 2 1 4) +error_bar>0(1 2 3; 1 0 3; 3 2 5)")
def _() -> None:
    plt.scatter(X, Y)
    plt.errorbar(X, Y, yerr=1, fmt="none")


@kind("error bars both ways", "scatter(1; 2) +error_bar.h>0(2; 0.9; 1.1) +error_bar>0(1; 1.5; 2.5)")
def _() -> None:
    plt.errorbar([1], [2], xerr=0.1, yerr=0.5, fmt="o")


@kind("vlines as error bars", "scatter(1 2 3; 2 1 4) +error_bar>0(1 2 3; 1 0 3; 3 2 5)")
def _() -> None:
    plt.vlines(X, Y - 1, Y + 1)
    plt.plot(X, Y, "o")


@kind("band around a line", "line(1 2 3; 2 1 4) +band>0(1 2 3; 1 0 3; 3 2 5)")
def _() -> None:
    plt.fill_between(X, Y - 1, Y + 1, alpha=0.3)
    plt.plot(X, Y)


@kind(
    "two lines with their bands",
    "line(1 2 3; 2 1 4) line(1 2 3; 8 7 9) +band>0(1 2 3; 1 0 3; 3 2 5) +band>1(1 2 3; 7 6 8; 9 8 10)",
)
def _() -> None:
    for y in (Y, np.array([8.0, 7, 9])):
        plt.plot(X, y)
        plt.fill_between(X, y - 1, y + 1, alpha=0.3)


@kind(
    "two points with error bars beside others",
    "line(1 2; 3 3) scatter(1 2 3; 2 1 4) +error_bar>0(1 2; 2.5 2.5; 3.5 3.5)",
)
def _() -> None:
    plt.errorbar([1, 2], [3, 3], yerr=0.5)
    plt.scatter(X, Y)


@kind("area", "area(1 2 3; 2 1 4; base 0 0 0)")
def _() -> None:
    plt.fill_between(X, Y)


@kind(
    "stacked areas", "area~stacked(1 2 3; 2 1 4; base 0 0 0) area~stacked(1 2 3; 1 1 1; base 2 1 4)"
)
def _() -> None:
    plt.stackplot(X, Y, [1, 1, 1])


@kind("stem", "stem(1 2 3; 2 1 4)")
def _() -> None:
    plt.stem(X, Y)


@kind("lollipops", "stem(1 2 3; 2 1 4)")
def _() -> None:
    plt.vlines(X, 0, Y)
    plt.plot(X, Y, "o")


@kind("horizontal lollipops", "stem.h(a b c; 2 1 4)")
def _() -> None:
    plt.hlines(range(3), 0, Y)
    plt.scatter(Y, range(3))
    plt.yticks(range(3), ["a", "b", "c"])


@kind("dumbbells", "scatter(1 2; 0 1) scatter(3 4; 0 1) interval.h(0 1; 2 2; base 1 2)")
def _() -> None:
    plt.hlines([0, 1], [1, 2], [3, 4], color="grey")
    plt.scatter([1, 2], [0, 1], color="r")
    plt.scatter([3, 4], [0, 1], color="b")


@kind(
    "reference lines and spans",
    "line(1 2 3; 2 1 4) +reference_line.h(1.5) +reference_line(2) +reference_line(1; slope 2) +reference_span.h(0; 1) +reference_span(2; 3)",
)
def _() -> None:
    plt.plot(X, Y)
    plt.axhline(1.5)
    plt.axvline(2)
    plt.axline((0, 1), slope=2)
    plt.axhspan(0, 1)
    plt.axvspan(2, 3)


@kind("reference line by plot", "line(1 2 3; 2 1 4) +reference_line.h(3)")
def _() -> None:
    plt.plot(X, Y)
    plt.plot([1, 3], [3, 3], "k--")


@kind("reference line by hlines", "line(1 2 3; 2 1 4) +reference_line.h(3)")
def _() -> None:
    plt.plot(X, Y)
    plt.hlines(3, 1, 3)


@kind("identity line", "scatter(1 2 3; 2 1 4) +reference_line(0; slope 1)")
def _() -> None:
    plt.scatter(X, Y)
    plt.plot([0, 5], [0, 5], "k--")


@kind("slope graph of two-point lines", "line(0 1; 1 2) line(0 1; 2 1)")
def _() -> None:
    plt.plot([0, 1], [1, 2])
    plt.plot([0, 1], [2, 1])


@kind("scatter with its fit", "scatter(n=10; n=10) +fit>0(n=50)")
def _() -> None:
    x = np.arange(10.0)
    y = x + np.tile([0.5, -0.5], 5)
    plt.scatter(x, y)
    plt.plot(DENSE, np.polyval(np.polyfit(x, y, 1), DENSE), "r")


@kind("image", "heatmap(0 1 2; 0 1; z 0 1 2/3 4 5)")
def _() -> None:
    plt.imshow(GRID)
    plt.colorbar()


@kind("image from below with an extent", "heatmap(1 3 5; 0.5 1.5; z 0 1 2/3 4 5)")
def _() -> None:
    plt.imshow(GRID, origin="lower", extent=(0, 6, 0, 2))


@kind("image with axes off", "heatmap(0 1 2; 0 1; z 0 1 2/3 4 5)")
def _() -> None:
    plt.matshow(GRID)
    plt.axis("off")


@kind("mesh with a colour bar", "heatmap(0.5 1.5 2.5; 0.5 1.5; z 0 1 2/3 4 5)")
def _() -> None:
    plt.colorbar(plt.pcolormesh(GRID, norm=LogNorm(1, 5)))


@kind("mesh at centres", "heatmap(1 2 3; 1 2; z 0 1 2/3 4 5)")
def _() -> None:
    plt.pcolormesh(X, [1, 2], GRID, shading="nearest")


@kind("pcolor", "heatmap(0.5 1.5 2.5; 0.5 1.5; z 0 1 2/3 4 5)")
def _() -> None:
    plt.pcolor(GRID)


@kind("contours", "contour(1 2 3; 1 2; z 0 1 2/3 4 5)")
def _() -> None:
    plt.contour(X, [1, 2], GRID)


@kind("filled contours with lines on them", "contour(0 1 2; 0 1; z 0 1 2/3 4 5)")
def _() -> None:
    plt.contourf(GRID)
    plt.contour(GRID, colors="k")


@kind("contours of scattered points", "contour(0 1 0 1; 0 0 1 1; z 0 1 2 3)")
def _() -> None:
    plt.tricontourf([0, 1, 0, 1], [0, 0, 1, 1], [0, 1, 2, 3])


@kind("two-dimensional histogram", "heatmap(0.5 1.5; 0.5 1.5; z 1 0/0 2)")
def _() -> None:
    plt.hist2d([0, 1, 1], [0, 1, 1], bins=[[0, 1, 2], [0, 1, 2]])


@kind("hexagons", "hexbin(0 1 0.5; 0 1 0.5; z 1 1 1)")
def _() -> None:
    plt.hexbin([0, 1, 0.5], [0, 1, 0.5], gridsize=(1, 1), mincnt=1)


@kind("pie", "pie(a b; 0.25 0.75)")
def _() -> None:
    plt.pie([1, 3], labels=["a", "b"])


@kind("arrows", "quiver(0 1; 0 1; z 1 2/3 4)")
def _() -> None:
    plt.quiver([0, 1], [0, 1], [1, 3], [2, 4])


@kind("barbs", "barbs(0 1; 0 1; z 10 20/30 40)")
def _() -> None:
    plt.barbs([0, 1], [0, 1], [10, 30], [20, 40])


@kind("streamlines", "stream(0 1 0 1; 0 0 1 1; z 4x2)")
def _() -> None:
    plt.streamplot(np.arange(2.0), np.arange(2.0), np.ones((2, 2)), np.ones((2, 2)))


@kind("events", "event.h(0 0 0; 1 2 3) event.h(1 1; 4 5)")
def _() -> None:
    plt.eventplot([[1, 2, 3], [4, 5]], lineoffsets=[0, 1], colors=["r", "b"])


@kind("lines in one collection", "line(0 1; 0 1) line(0 1; 1 0)")
def _() -> None:
    plt.gca().add_collection(LineCollection([[(0, 0), (1, 1)], [(0, 1), (1, 0)]]))


@kind("polygon", "polygon(0 1 1 0; 0 0 1 0)")
def _() -> None:
    plt.fill([0, 1, 1], [0, 0, 1])


@kind("polar line", "polar line(0 1 2; 1 2 3)")
def _() -> None:
    plt.subplot(projection="polar").plot([0, 1, 2], [1, 2, 3])


@kind("three-dimensional points", "3d scatter(1 2 3; 2 1 4; z 0 1 2)")
def _() -> None:
    plt.subplot(projection="3d").scatter(X, Y, [0, 1, 2])


@kind("surface", "3d surface(0 1 0 1; 0 0 1 1; z 0 1 2 3)")
def _() -> None:
    x, y = np.meshgrid([0, 1], [0, 1])
    plt.subplot(projection="3d").plot_surface(x, y, x + 2 * y)


@kind("twin axis", "line(1 2 3; 2 1 4) | twin of 0 bar(1 2 3; 1 1 1)")
def _() -> None:
    plt.plot(X, Y)
    plt.twinx().bar(X, [1, 1, 1])


@kind("inset", "line(1 2 3; 2 1 4) | inset of 0 line(1 2; 2 1)")
def _() -> None:
    plt.plot(X, Y)
    plt.gca().inset_axes([0.6, 0.6, 0.3, 0.3]).plot([1, 2], [2, 1])


@kind("inset by its own axes", "line(1 2 3; 2 1 4) | inset of 0 line(1 2; 2 1)")
def _() -> None:
    plt.plot(X, Y)
    plt.gcf().add_axes((0.6, 0.6, 0.2, 0.2)).plot([1, 2], [2, 1])


@kind("empty and switched-off axes are no panels", "line(1 2 3; 2 1 4)")
def _() -> None:
    _, axes = plt.subplots(1, 3)
    axes[0].plot(X, Y)
    axes[2].axis("off")


@kind("legend proxies are nothing", "line(1 2 3; 2 1 4)")
def _() -> None:
    plt.plot(X, Y)
    plt.plot([], [], label="proxy")
    plt.scatter([], [], label="proxy")
    plt.bar(0, 0, label="proxy")
    plt.legend()


@kind("secondary axis is no panel", "line(1 2 3; 2 1 4)")
def _() -> None:
    plt.plot(X, Y)
    plt.gca().secondary_xaxis("top")


@kind("annotation", "line(1 2 3; 2 1 4) +annotation(2; 'dip')")
def _() -> None:
    plt.plot(X, Y)
    plt.annotate("dip", (2, 1), (2, 1))


@kind("dates", "line(1.972e+04 1.972e+04; 1 2)")
def _() -> None:
    plt.plot(np.array(["2024-01-01", "2024-01-02"], dtype="datetime64[D]"), [1, 2])


@kind(
    "what has no mark is said", "line(1 2 3; 2 1 4) !panel 0: Circle !panel 0: Table drawn by table"
)
def _() -> None:
    plt.plot(X, Y)
    plt.gca().add_patch(Circle((0, 0), 1))
    plt.table([["1"]])


@kind("a photograph is said", " !panel 0: a true-colour picture")
def _() -> None:
    plt.imshow(np.zeros((2, 2, 3)))
