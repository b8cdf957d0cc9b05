"""The page as a person meets it: opened from a file, in a real browser.

The fixture `visit` fails a test whose page writes an error to the console, opens a dialog or asks
the network for anything.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from typing import Any

import pytest

from plotchain_lib.report.tables import Cell

pytestmark = pytest.mark.long

Visit = Callable[..., Any]
PHONES = (360, 390)
WIDTHS = (1440, 820, *PHONES)

FIRST_COLUMN = """(table) => [...table.tBodies[0].rows].filter((row) => !row.hidden)
  .map((row) => row.cells[0].textContent)"""
# Marks of the drawings in sight that take up room: a chart without any is empty.
MARKS = """() => [...document.querySelectorAll(".chart")].map((chart) => {
  const shown = [...chart.querySelectorAll("svg")].filter((svg) => svg.checkVisibility());
  const marks = shown.flatMap((svg) => [...svg.querySelectorAll("path, use, text")])
    .filter((mark) => mark.getBoundingClientRect().width + mark.getBoundingClientRect().height > 1);
  return [chart.id, shown.length, marks.length];
})"""
# Whatever ends beyond the right edge and does not scroll inside something.
TOO_WIDE = """() => [...document.querySelectorAll("body *")].filter((node) =>
  node.checkVisibility() && node.getBoundingClientRect().right > window.innerWidth + 1
  && !node.closest(".box, pre, .skip") && !node.closest("svg *")).map((node) => node.outerHTML.slice(0, 120))"""

# The same template makes all rows and both datasets' details; axe takes a minute for them all.
FEWER_ROWS = """() => {
  for (const body of document.querySelectorAll("tbody"))
    while (body.rows.length > 3) body.deleteRow(-1);
  document.querySelectorAll(".dataset").forEach((part, place) => place && part.remove());
}"""
# The contrast of letters with their cell's shade, as WCAG defines it, for shares and tones.
CONTRASTS = """(cells) => {
  const canvas = document.createElement("canvas").getContext("2d");
  const light = (colour) => {
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((v) => v / 255)
      .map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
  };
  const cell = document.querySelector("td.heat");
  return cells.map(([share, tone]) => {
    cell.className = `number heat ${tone}`;
    cell.style.setProperty("--share", share);
    const style = getComputedStyle(cell);
    const [paper, ink] = [light(style.backgroundColor), light(style.color)];
    return Math.max(paper, ink) / Math.min(paper, ink);
  });
}"""


def table(page: Any, name: str, dataset: str = "plotchain") -> Any:
    return page.locator(f"#{dataset}-table-{name}")


def test_opens_from_a_file(visit: Visit) -> None:
    page = visit()
    assert page.title() == "PlotChain report"
    assert page.locator("h1").count() == 1
    levels = page.eval_on_selector_all("h1, h2, h3, h4", "all => all.map(h => +h.tagName[1])")
    assert all(after - before <= 1 for before, after in itertools.pairwise(levels))


@pytest.mark.parametrize("width", [1440, 390])
def test_every_chart_has_marks(visit: Visit, width: int) -> None:
    charts = visit(width=width).evaluate(MARKS)
    assert len(charts) >= 8  # four for each dataset
    assert [chart for chart in charts if chart[1] != 1 or chart[2] < 10] == []


def test_text_from_outside_is_shown_as_text(visit: Visit) -> None:
    page = visit()
    assert page.locator("img[src=x]").count() == 0
    assert page.get_by_text('<img src=x onerror="document.title=1">').first.is_visible()
    assert page.title() == "PlotChain report"


def test_sorts_by_mouse_and_keyboard(visit: Visit) -> None:
    page = visit()
    board = table(page, "leaderboard")
    before = board.locator("table").evaluate(FIRST_COLUMN)
    rank = board.locator("th", has_text="Rank")
    assert rank.get_attribute("aria-sort") == "ascending"
    rank.get_by_role("button").click()
    assert rank.get_attribute("aria-sort") == "descending"
    assert board.locator("table").evaluate(FIRST_COLUMN) == before[::-1]

    field = board.locator("th", has_text="All fields")
    field.get_by_role("button").focus()
    page.keyboard.press("Enter")  # numbers: the best first
    assert field.get_attribute("aria-sort") == "descending"
    assert rank.get_attribute("aria-sort") == "none"
    assert board.locator("table").evaluate(FIRST_COLUMN) == before
    page.keyboard.press("Space")
    assert field.get_attribute("aria-sort") == "ascending"
    assert board.locator("tbody.apart tr").last.is_visible()  # floor and ceiling stay below


def test_filters_long_tables_only(visit: Visit) -> None:
    page = visit()
    assert table(page, "leaderboard").get_by_role("searchbox").count() == 0
    fields = table(page, "fields")
    box = fields.get_by_role("searchbox")
    everything = fields.locator("table").evaluate(FIRST_COLUMN)
    box.fill("PUMP cp_")
    assert fields.locator("table").evaluate(FIRST_COLUMN) == ["cp_left", "cp_right"]
    assert fields.locator("output").text_content() == f"2 of {len(everything)} rows"
    box.fill("no such field")
    assert fields.locator("output").text_content() == f"0 of {len(everything)} rows"
    box.fill("")
    assert fields.locator("table").evaluate(FIRST_COLUMN) == everything


def test_headings_stay_in_sight_in_a_long_table(visit: Visit) -> None:
    page = visit("#plotchain-table-fields")
    box = table(page, "fields").locator(".box")
    head = box.locator("thead")
    top = head.bounding_box()["y"]
    box.evaluate("box => { box.scrollTop = 400; }")
    assert box.evaluate("box => box.scrollTop") == 400
    assert head.bounding_box()["y"] == pytest.approx(top, abs=2)


def test_tabs_work_as_tabs_do(visit: Visit) -> None:
    page = visit()
    tabs = page.locator("#plotchain-families [role=tab]")
    panels = page.locator("#plotchain-families [role=tabpanel]")
    names = tabs.all_text_contents()

    def chosen() -> str:
        states = [tab.get_attribute("aria-selected") for tab in tabs.all()]
        assert [panel.is_visible() for panel in panels.all()] == [s == "true" for s in states]
        assert [tab.get_attribute("tabindex") for tab in tabs.all()].count("0") == 1
        return names[states.index("true")]

    assert chosen() == names[0]
    tabs.nth(1).click()
    assert chosen() == names[1]
    for key, place in (("ArrowRight", 2), ("ArrowRight", 0), ("ArrowLeft", 2), ("Home", 0),
                       ("End", 2)):  # fmt: skip
        page.keyboard.press(key)
        assert chosen() == names[place]
        assert tabs.nth(place).evaluate("tab => tab === document.activeElement")


def test_a_link_opens_its_section_and_its_tab(visit: Visit) -> None:
    page = visit("#second-speed")
    assert 0 <= page.locator("#second-speed").bounding_box()["y"] < 900
    page = visit("#second-table-families_checkpoint")
    panel = table(page, "families_checkpoint", "second")
    assert panel.is_visible()
    assert 0 <= panel.bounding_box()["y"] < 900
    page.evaluate("location.hash = '#second-table-families_final'")
    table(page, "families_final", "second").wait_for(state="visible")
    assert not panel.is_visible()
    page.evaluate("location.hash = '#nothing%zz'")  # a broken link breaks nothing


def test_datasets_lead_to_their_part(visit: Visit) -> None:
    page = visit()
    datasets = table(page, "datasets", "_all")
    datasets.get_by_role("link", name="second").click()
    assert page.url.endswith("#second")
    assert 0 <= page.locator("section#second").bounding_box()["y"] < 900


def test_works_by_keyboard_alone(visit: Visit) -> None:
    page = visit()
    page.keyboard.press("Tab")
    skip = page.locator(".skip")
    assert skip.evaluate("link => link === document.activeElement")
    assert skip.bounding_box()["x"] >= 0
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    seen = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        tag, outline = page.evaluate(
            "[document.activeElement.tagName, getComputedStyle(document.activeElement).outlineStyle]"
        )
        seen.add(tag)
        assert outline != "none", page.evaluate("document.activeElement.outerHTML.slice(0, 200)")
    assert {"A", "BUTTON"} <= seen


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_follow_the_system_and_the_switch(visit: Visit, scheme: str) -> None:
    page = visit(color_scheme=scheme)

    def paper() -> str:
        found = page.evaluate("getComputedStyle(document.body).backgroundColor")
        return "light" if found == "rgb(255, 255, 255)" else "dark"

    other = "light" if scheme == "dark" else "dark"
    assert paper() == scheme
    choice = page.get_by_label("Colours")
    choice.select_option(other)
    assert paper() == other
    page.reload()
    assert paper() == other
    assert choice.input_value() == other
    choice.select_option("")
    assert paper() == scheme


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_hangs_over_the_edge(visit: Visit, width: int) -> None:
    page = visit(width=width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(TOO_WIDE) == []


@pytest.mark.long
@pytest.mark.parametrize(
    ("scheme", "width"), [("light", 1440), ("dark", 1440), ("light", 390), ("dark", 390)]
)
def test_has_no_serious_barrier(visit: Visit, scheme: str, width: int) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    page = visit(width=width, color_scheme=scheme)
    page.evaluate(FEWER_ROWS)
    found = axe.Axe().run(page).response["violations"]
    serious = [
        f"{rule['id']} ({rule['impact']}): {rule['nodes'][0]['html'][:200]}"
        for rule in found
        if rule["impact"] in ("serious", "critical")
    ]
    assert serious == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_letters_stand_out_from_every_shade(visit: Visit, scheme: str) -> None:
    page = visit(color_scheme=scheme)
    cells = [Cell("", heat=place / 200) for place in range(201)]
    contrasts = page.evaluate(CONTRASTS, [[cell.heat, cell.tone] for cell in cells])
    assert len(contrasts) == 201
    assert min(contrasts) >= 4.5


def test_prints_everything_and_no_controls(visit: Visit) -> None:
    page = visit(color_scheme="dark")
    table(page, "fields").get_by_role("searchbox").fill("pump")
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(28, 33, 38)"
    panels = page.locator("[role=tabpanel]")
    assert [panel.is_visible() for panel in panels.all()] == [True] * panels.count()
    assert table(page, "fields").locator("tbody tr:visible").count() == 56
    for control in (".tablist", ".filter", ".theme", "nav"):
        assert page.locator(f"{control}:visible").count() == 0
    # What is higher than its box would be printed over what follows.
    heights = "boxes => boxes.map(box => [getComputedStyle(box).maxHeight, box.scrollHeight - box.clientHeight])"
    boxes = page.locator(".box").evaluate_all(heights)
    assert len(boxes) > 10 and all(found == ["none", 0] for found in boxes)
    page.emulate_media(media="screen")
    document = page.pdf(format="A4")
    assert document.startswith(b"%PDF")
    assert len(re.findall(rb"/Type\s*/Page\b", document)) > 3


def test_shows_everything_without_a_script(visit: Visit) -> None:
    page = visit(java_script_enabled=False)
    assert page.locator(".panel:visible").count() == page.locator(".panel").count()
    assert page.locator(".theme:visible").count() == 0
