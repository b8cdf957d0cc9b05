"""The page: one HTML file that needs nothing else."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from plotchain_lib.report.figures import (
    NARROW_INCHES,
    WIDE_INCHES,
    Chart,
    Drawings,
    DrawnFigures,
)
from plotchain_lib.report.item_blobs import ItemBrowser
from plotchain_lib.report.sections import FirstScreen, Section
from plotchain_lib.report.tables import Table, view_table

TEMPLATES = "plotchain_lib.report"
SCRIPTS = ("tables.js", "tabs.js", "theme.js")
STYLES = ("report.css", "items.css", "items_episode.css")
BROWSER_SCRIPTS = (
    "items_data.js", "items_filter.js", "items_list.js", "items_view.js", "items_turns.js",
    "items_episode.js", "items.js",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class DatasetPage:
    """What the page shows of one dataset."""

    name: str
    first: FirstScreen
    sections: Sequence[Section]
    definitions: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class ChartView:
    """A chart drawn for a desk and for a phone."""

    chart: Chart
    wide: Markup
    narrow: Markup


def render_page(
    datasets: Sequence[DatasetPage],
    overview: Sequence[Table],
    drawings: Drawings | DrawnFigures,
    browser: ItemBrowser | None = None,
) -> str:
    """The whole page. Everything but our own drawings, style and script is escaped.

    `browser` is what its item browser shows; None leaves the browser out.
    """
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["view"] = view_table
    environment.filters["breakable"] = _breakable
    environment.globals["drawn"] = lambda chart, name: _drawn(chart, name, drawings)
    template = environment.from_string(_template("report.html.j2"))
    return template.render(
        datasets=datasets,
        overview=overview,
        items=_items(environment, browser),
        blobs=None if browser is None else browser.blobs,
        definitions=list(dict.fromkeys(d for page in datasets for d in page.definitions)),
        early=_joined(["early.js"]).strip(),
        style=_joined(STYLES),
        script=_script(with_browser=browser is not None),
    )


def _items(environment: Environment, browser: ItemBrowser | None) -> Markup:
    if browser is None:
        return Markup()
    template = environment.from_string(_template("items.html.j2"))
    return Markup(template.render(browser=browser))  # noqa: S704 - escaped by its template


def _script(with_browser: bool) -> Markup:
    """The page's script; the item browser's files share one scope, apart from the rest."""
    page = _joined(SCRIPTS)
    if not with_browser:
        return page
    return page + Markup("\n(() => {\n") + _joined(BROWSER_SCRIPTS) + Markup("\n})();")


def _joined(names: Sequence[str]) -> Markup:
    """Our own files, one after the other."""
    return Markup("\n".join(_template(name) for name in names))  # noqa: S704


def _breakable(text: str) -> Markup:
    """A name that may be broken after its own marks, and every 16 letters where it has none."""
    pieces = re.findall(r"\s+|[^\s_=/:@-]{1,16}[_=/:@-]?|[_=/:@-]", text)
    return Markup("<wbr>").join(pieces)


def _drawn(chart: Chart, dataset: str, drawings: Drawings | DrawnFigures) -> ChartView:
    """Labels inside the drawing are escaped by the SVG writer."""
    prefix = f"{dataset}-{chart.name}"
    return ChartView(
        chart=chart,
        wide=Markup(drawings.svg(chart, WIDE_INCHES, f"{prefix}-w")),  # noqa: S704
        narrow=Markup(drawings.svg(chart, NARROW_INCHES, f"{prefix}-n")),  # noqa: S704
    )


def _template(name: str) -> str:
    return (files(TEMPLATES) / "templates" / name).read_text(encoding="utf-8")
