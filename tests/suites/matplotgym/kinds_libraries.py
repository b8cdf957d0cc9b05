"""Figures drawn by pandas and seaborn, each with its spec in one line."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from figure_kinds import Draw, Kind

KINDS: list[Kind] = []
TABLE = pd.DataFrame({"p": [2.0, 1, 4], "q": [1.0, 1, 1]}, index=["a", "b", "c"])
LONG = pd.DataFrame({"g": list("aabbaabb"), "h": list("uuuuvvvv"), "v": [1.0, 3, 2, 4, 3, 5, 4, 6]})
TREND = pd.DataFrame({"t": [1, 1, 2, 2, 3, 3], "v": [1.0, 3, 2, 4, 3, 5]})
CLOUD = pd.DataFrame({"x": np.arange(10.0), "y": np.arange(10.0) + np.tile([0.5, -0.5], 5)})


def kind(name: str, expected: str):
    def note(draw: Draw) -> Draw:
        KINDS.append((name, draw, expected))
        return draw

    return note


@kind("pandas lines", "line(0 1 2; 2 1 4; 'p') line(0 1 2; 1 1 1; 'q')")
def _() -> None:
    TABLE.reset_index(drop=True).plot()


@kind("pandas lines over names", "line(a b c; 2 1 4; 'p')")
def _() -> None:
    TABLE[["p"]].plot()
    plt.xticks(range(3), list("abc"))


@kind("pandas dates, not ordinals", "line(1.972e+04 1.975e+04 1.978e+04; 1 2 3)")
def _() -> None:
    pd.Series([1, 2, 3], pd.date_range("2024-01-01", periods=3, freq="MS")).plot()


@kind("pandas bars", "bar~grouped(a b c; 2 1 4; 'p') bar~grouped(a b c; 1 1 1; 'q')")
def _() -> None:
    TABLE.plot.bar()


@kind(
    "pandas stacked bars",
    "bar~stacked(a b c; 2 1 4; 'p') bar~stacked(a b c; 1 1 1; base 2 1 4; 'q')",
)
def _() -> None:
    TABLE.plot(kind="bar", stacked=True)


@kind("pandas horizontal bars", "bar.h(a b c; 2 1 4; 'p')")
def _() -> None:
    TABLE[["p"]].plot.barh()


@kind("pandas bars with errors", "bar(a b c; 2 1 4; 'p') +error_bar>0(a b c; 1 0 3; 3 2 5)")
def _() -> None:
    TABLE["p"].plot.bar(yerr=[1, 1, 1], label="p")


@kind("pandas histogram", "histogram(0.5 1.5; 2 1)")
def _() -> None:
    pd.Series([0, 0, 1]).hist(bins=[0, 1, 2])


@kind("pandas histograms in panels", "histogram(0.5 1.5; 2 1) | histogram(0.5 1.5; 1 2)")
def _() -> None:
    pd.DataFrame({"a": [0, 0, 1], "b": [0, 1, 2]}).hist(bins=[0, 1, 2])


@kind(
    "pandas area",
    "area~stacked(0 1 2; 2 1 4; base 0 0 0; 'p') area~stacked(0 1 2; 1 1 1; base 2 1 4; 'q')",
)
def _() -> None:
    TABLE.reset_index(drop=True).plot.area()


@kind("pandas box plot", "box(p q; 2 1; z 1 1.5 2 3 4/1 1 1 1 1)")
def _() -> None:
    TABLE.plot.box()


@kind("pandas box plot by group", "box(a b; 3 4; z 1 2.5 3 3.5 5/2 3.5 4 4.5 6)")
def _() -> None:
    LONG.boxplot("v", by="g")


@kind("pandas scatter", "scatter(0 0.5 1; 2 1 4)")
def _() -> None:
    pd.DataFrame({"x": [0, 0.5, 1], "y": [2, 1, 4]}).plot.scatter("x", "y")


@kind("pandas scatter with a mapped colour", "scatter(0 0.5 1; 2 1 4; colour 5 6 7)")
def _() -> None:
    pd.DataFrame({"x": [0, 0.5, 1], "y": [2, 1, 4], "c": [5, 6, 7]}).plot.scatter(
        "x", "y", c="c", colormap="viridis"
    )


@kind("pandas density", "line(n=1000; n=1000; 'v')")
def _() -> None:
    LONG["v"].plot.kde()


@kind("pandas pie", "pie(a b c; 0.2857 0.1429 0.5714)")
def _() -> None:
    TABLE["p"].plot.pie()


@kind("pandas hexagons", "hexbin(0 1 0.5; 0 1 0.5; z 1 1 1)")
def _() -> None:
    pd.DataFrame({"x": [0, 1, 0.5], "y": [0, 1, 0.5]}).plot.hexbin(
        "x", "y", gridsize=(1, 1), mincnt=1
    )


@kind("pandas panels", "line(0 1 2; 2 1 4; 'p') | line(0 1 2; 1 1 1; 'q')")
def _() -> None:
    TABLE.reset_index(drop=True).plot(subplots=True)


@kind(
    "pandas secondary axis", "line(0 1 2; 2 1 4; 'p') | twin of 0 line(0 1 2; 1 1 1; 'q (right)')"
)
def _() -> None:
    TABLE.reset_index(drop=True).plot(secondary_y="q")


@kind(
    "seaborn line with its band",
    "line(1 2 3; 2 3 4) +band>0(1 2 3; 0.5858 1.586 2.586; 3.414 4.414 5.414)",
)
def _() -> None:
    sns.lineplot(TREND, x="t", y="v", errorbar="sd")


@kind(
    "seaborn line with error bars",
    "line(1 2 3; 2 3 4) +error_bar>0(1 2 3; 0.5858 1.586 2.586; 3.414 4.414 5.414)",
)
def _() -> None:
    sns.lineplot(TREND, x="t", y="v", errorbar="sd", err_style="bars")


@kind("seaborn scatter by group", "scatter(0 0 1 1; 1 3 3 5) scatter(2 2 3 3; 2 4 4 6)")
def _() -> None:
    data = LONG.assign(x=[0, 0, 2, 2, 1, 1, 3, 3])
    sns.scatterplot(data, x="x", y="v", hue="g")


@kind("seaborn bars", "bar(a b; 3 4) +error_bar>0(a b; 1 2; 5 6)")
def _() -> None:
    sns.barplot(LONG, x="g", y="v", errorbar=("pi", 100))


@kind(
    "seaborn bars by group",
    "bar~grouped(a b; 2 3) bar~grouped(a b; 4 5) +error_bar>0(a b; 1 2; 3 4) +error_bar>1(a b; 3 4; 5 6)",
)
def _() -> None:
    sns.barplot(LONG, x="g", y="v", hue="h", errorbar=("pi", 100))


@kind("seaborn bars with capped errors", "bar(a b; 3 4) +error_bar>0(a b; 1 2; 5 6)")
def _() -> None:
    sns.barplot(LONG, x="g", y="v", errorbar=("pi", 100), capsize=0.2)


@kind("seaborn horizontal bars", "bar.h(a b; 3 4) +error_bar.h>0(a b; 1 2; 5 6)")
def _() -> None:
    sns.barplot(LONG, y="g", x="v", errorbar=("pi", 100))


@kind("seaborn bars in a palette", "bar(a b; 3 4)")
def _() -> None:
    sns.barplot(LONG, x="g", y="v", hue="g", errorbar=None)


@kind("seaborn counts", "bar(a b; 4 4)")
def _() -> None:
    sns.countplot(LONG, x="g")


@kind("seaborn points", "line(a b; 3 4) +error_bar>0(a b; 1 2; 5 6)")
def _() -> None:
    sns.pointplot(LONG, x="g", y="v", errorbar=("pi", 100))


@kind("seaborn points not joined", "scatter(a b; 3 4) +error_bar>0(a b; 1 2; 5 6)")
def _() -> None:
    sns.pointplot(LONG, x="g", y="v", errorbar=("pi", 100), linestyle="none")


@kind("seaborn box plot", "box(a b; 3 4; z 1 2.5 3 3.5 5/2 3.5 4 4.5 6)")
def _() -> None:
    sns.boxplot(LONG, x="g", y="v")


@kind(
    "seaborn box plot by group",
    "box(a b; 2 3; z 1 1.5 2 2.5 3/2 2.5 3 3.5 4) box(a b; 4 5; z 3 3.5 4 4.5 5/4 4.5 5 5.5 6)",
)
def _() -> None:
    sns.boxplot(LONG, x="g", y="v", hue="h")


@kind("seaborn letter values", "box(a b; 3 4; z 2.5 2.5 3 3.5 3.5/3.5 3.5 4 4.5 4.5)")
def _() -> None:
    sns.boxenplot(LONG, x="g", y="v")


@kind("seaborn strips", "scatter(a a a a b b; 1 3 3 5 2 4)")
def _() -> None:
    sns.stripplot(LONG.iloc[:6], x="g", y="v", jitter=0.1)


@kind("seaborn swarms", "scatter(a a b b; 1 3 2 4)")
def _() -> None:
    sns.swarmplot(LONG.iloc[:4], x="g", y="v")


@kind("seaborn violins", "violin(a b; 3 4)")
def _() -> None:
    sns.violinplot(LONG, x="g", y="v")


@kind("seaborn histogram", "histogram(1.5 3.5 5.5; 2 4 2)")
def _() -> None:
    sns.histplot(LONG, x="v", bins=[0.5, 2.5, 4.5, 6.5])


@kind("seaborn histogram as steps", "histogram(1.5 3.5 5.5; 2 4 2)")
def _() -> None:
    sns.histplot(LONG, x="v", bins=[0.5, 2.5, 4.5, 6.5], element="step")


@kind("seaborn density", "line(n=200; n=200)")
def _() -> None:
    sns.kdeplot(LONG, x="v")


@kind("seaborn filled density", "area(n=200; n=200; base n=200)")
def _() -> None:
    sns.kdeplot(LONG, x="v", fill=True)


@kind("seaborn ecdf", "step(n=8; n=8)")
def _() -> None:
    sns.ecdfplot(LONG, x="v")


@kind("seaborn rug", "event.h(n=8; n=8)")
def _() -> None:
    sns.rugplot(LONG, x="v")


@kind("seaborn regression", "scatter(n=10; n=10) +band>0(n=100; n=100; n=100) +fit>0(n=100)")
def _() -> None:
    sns.regplot(CLOUD, x="x", y="y", n_boot=20, seed=0)


@kind("seaborn heat map", "heatmap(p q; a b c; z 2 1/1 1/4 1)")
def _() -> None:
    sns.heatmap(TABLE, annot=True)


@kind("seaborn two-dimensional histogram", "heatmap(2 6; 2 6; z 1 nan/nan 2)")
def _() -> None:
    sns.histplot(x=[1, 5, 6], y=[1, 5, 6], bins=([0, 4, 8], [0, 4, 8]))


@kind("seaborn facets", "scatter(1 1 2 2; 1 3 2 4) | scatter(3 3; 3 5)")
def _() -> None:
    sns.relplot(TREND.assign(g=list("aaaabb")), x="t", y="v", col="g")


@kind(
    "seaborn joint plot",
    "scatter(1 1 2 2 3 3; 1 3 2 4 3 5) | histogram(1.5 2.5; 2 4) | histogram.h(2 4; 2 4)",
)
def _() -> None:
    sns.jointplot(TREND, x="t", y="v", marginal_kws={"bins": 2})
