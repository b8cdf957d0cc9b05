"""Episodes in the item browser: a run played for real, looked at in a real browser."""

from __future__ import annotations

import fcntl
import importlib.util
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from plotchain_lib.report import compose, load_datasets
from plotchain_lib.report.figures import Drawings
from plotchain_lib.report.item_blobs import item_browser
from plotchain_lib.report.page import render_page

pytestmark = pytest.mark.long

Visit = Callable[..., Any]
ITEM = "#item=matplotgym/actg-cd4-response"


@pytest.fixture(scope="session")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of one task's episodes, made once for all test processes."""
    file = Path(__file__).parents[1] / "report" / "played.py"
    spec = importlib.util.spec_from_file_location("report_played", file)
    assert spec and spec.loader
    played = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(played)
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    with (shared / "episodes.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        page = shared / "episodes" / "report.html"
        if not page.exists():
            shutil.rmtree(page.parent, ignore_errors=True)  # of a build that failed
            page.parent.mkdir()
            inputs = played.play_run(page.parent)
            (dataset,) = load_datasets(inputs)
            browser = item_browser([(dataset, inputs.datasets[0].browser)])
            page.write_text(render_page(compose([dataset]), (), Drawings(), browser))
    return page


def open_attempt(visit: Visit, attempt: str = "", **options: Any) -> Any:
    page = visit(f"{ITEM}&attempt={attempt}" if attempt else ITEM, **options)
    page.locator("#episode-turns li").first.wait_for()
    return page


def texts(page: Any, selector: str) -> list[str]:
    return list(page.locator(selector).all_text_contents())


def test_both_figures_stand_side_by_side_with_scores_and_losses(visit: Visit) -> None:
    page = open_attempt(visit)
    assert page.locator("#episode-title").text_content() == "agent, attempt 1"
    figures = page.locator("#episode-figures img")
    assert figures.count() == 2
    page.wait_for_function(
        "[...document.querySelectorAll('#episode-figures img')].every((i) => i.naturalWidth > 100)"
    )
    left, right = [figure.bounding_box() for figure in figures.all()]
    assert left["y"] == right["y"] and left["x"] + left["width"] < right["x"]
    chosen = page.locator("#episode-scores tr.chosen")
    assert chosen.locator("button").get_attribute("aria-pressed") == "true"
    assert chosen.locator("td small").all_text_contents() == ["another kind of mark"]
    assert page.locator("#item-body").is_hidden()


def test_an_attempt_is_chosen_by_keyboard_and_has_its_own_address(visit: Visit) -> None:
    page = open_attempt(visit)
    page.locator("#episode-scores button", has_text="other, attempt 1").focus()
    page.keyboard.press("Enter")
    assert page.locator("#episode-title").text_content() == "other, attempt 1"
    assert page.url.endswith(f"{ITEM}&attempt=other%2F1")
    missing = page.locator("#episode-figures .missing").text_content()
    assert missing.startswith("Crashed.ValueError: </script>")
    assert page.locator("#episode-figures img").count() == 1
    page.keyboard.press("Escape")
    assert not page.locator("#item").is_visible() and "#item=" not in page.url


def test_a_transcript_is_told_turn_by_turn_and_is_text(visit: Visit) -> None:
    page = open_attempt(visit, "agent/1")
    turns = page.locator("#episode-turns > li")
    assert turns.count() == 5 + 1
    assert turns.first.locator("pre").text_content().startswith("</script><img")
    assert page.locator("img[src=x]").count() == 0 and page.title() == "PlotChain report"
    assert page.locator("#episode-body", has_text='"protocol"').count() == 0
    flagged = page.locator("#episode-turns > li.flagged")
    assert texts(page, "li.flagged .flag")[0].endswith("/etc/passwd")
    assert flagged.count() == 1 and "turn 3" in page.locator("#episode-flags").text_content()
    printed = turns.nth(1).locator("details").nth(1)
    assert printed.get_attribute("open") is None  # long, so closed at first
    printed.locator("summary").click()
    assert "bytes left out here; the whole is in" in printed.locator(".cut").text_content()
    assert printed.locator("pre").last.text_content().rstrip().endswith("line 1999")
    assert turns.last.text_content() == "The agent ended the episode."


def test_what_was_never_submitted_and_what_was_unsealed_is_said(visit: Visit) -> None:
    page = open_attempt(visit, "agent/2")
    missing = page.locator("#episode-figures .missing").text_content()
    assert missing == (
        "Nothing submitted.A command of the agent drew a figure, but no script was submitted."
    )
    assert "reminded to submit" in texts(page, "#episode-facts .chip")
    page.locator("#episode-scores button", has_text="other, attempt 2").click()
    assert "unsealed: ran without a sandbox" in texts(page, "#episode-facts .chip")
    assert page.locator("#episode-turns > li.end").text_content() == "All turns were used up."
    assert texts(page, "#episode-turns .chip").count("no action") == 13


def test_an_episode_fits_a_phone_its_figures_stacked(visit: Visit) -> None:
    page = open_attempt(visit, "agent/1", width=390)
    assert page.evaluate("document.getElementById('item').scrollWidth") <= 390
    first, second = [f.bounding_box() for f in page.locator(".episode-figure").all()]
    assert second["y"] >= first["y"] + first["height"] and first["x"] == second["x"]


@pytest.mark.parametrize(("scheme", "width"), [("light", 1440), ("dark", 390)])
def test_an_episode_has_no_serious_barrier(visit: Visit, scheme: str, width: int) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    page = open_attempt(visit, "agent/1", width=width, color_scheme=scheme)
    page.evaluate("document.querySelectorAll('main > *:not(#item)').forEach((e) => e.remove())")
    serious = [
        f"{rule['id']} ({rule['impact']}): {rule['nodes'][0]['html'][:200]}"
        for rule in axe.Axe().run(page).response["violations"]
        if rule["impact"] in ("serious", "critical")
    ]
    assert serious == []
