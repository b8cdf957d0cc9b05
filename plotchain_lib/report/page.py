"""The page: one HTML file that needs nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup, escape

from plotchain_lib.report.figures import NARROW_INCHES, WIDE_INCHES, Chart, Drawings
from plotchain_lib.report.sections import FirstScreen, Section
from plotchain_lib.report.tables import Table, view_table

TEMPLATES = "plotchain_lib.report"


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


def render_page(datasets: Sequence[DatasetPage], overview: Table | None, drawings: Drawings) -> str:
    """The whole page. Everything but our own drawings, style and script is escaped."""
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
        definitions=list(dict.fromkeys(d for page in datasets for d in page.definitions)),
        style=Markup(_template("report.css")),  # noqa: S704 - our own file
        script=Markup(_template("report.js")),  # noqa: S704 - our own file
    )


def _breakable(text: str) -> Markup:
    """A name that may be broken after an underscore."""
    return escape(text).replace("_", Markup("_<wbr>"))


def _drawn(chart: Chart, dataset: str, drawings: Drawings) -> ChartView:
    """Labels inside the drawing are escaped by the SVG writer."""
    prefix = f"{dataset}-{chart.name}"
    return ChartView(
        chart=chart,
        wide=Markup(drawings.svg(chart, WIDE_INCHES, f"{prefix}-w")),  # noqa: S704
        narrow=Markup(drawings.svg(chart, NARROW_INCHES, f"{prefix}-n")),  # noqa: S704
    )


def _template(name: str) -> str:
    return (files(TEMPLATES) / "templates" / name).read_text(encoding="utf-8")
