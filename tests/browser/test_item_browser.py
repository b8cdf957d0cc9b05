"""Item by item: links, filters, keys, and answers that try to be markup."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

pytestmark = pytest.mark.long

Visit = Callable[..., Any]
HOSTILE_LABEL = '<img src=x onerror="document.title=1">'
ITEM = "#item=plotchain/pump_curve_001"


def open_items(visit: Visit, anchor: str = "", **options: Any) -> Any:
    """The page, its item browser unpacked."""
    page = visit(anchor, **options)
    page.locator("#items-app").wait_for(state="attached")
    page.wait_for_function("!document.getElementById('items-app').hidden")
    return page


def title(page: Any) -> str:
    return str(page.locator("#item-title").text_content())


def count(page: Any) -> str:
    return str(page.locator("#items-count").text_content())


def test_a_link_opens_the_item_with_all_that_belongs_to_it(visit: Visit) -> None:
    page = open_items(visit, ITEM)
    page.locator("#item .item-stack img").wait_for()
    assert title(page) == "pump_curve_001"
    assert page.locator("#item-about").text_content().startswith("plotchain, ")
    size = page.locator("#item .item-stack img").evaluate("i => [i.naturalWidth, i.naturalHeight]")
    assert size == [40, 30]
    assert page.locator("#item-question").text_content() == "Read pump_curve_001."
    heads = page.locator("#item-values tbody th").all_text_contents()
    assert heads[:2] == ["Truth", "May differ by"]
    assert len(heads) == 2 + 5  # three models, ceiling and floor
    assert page.locator("#item-values td.passed, #item-values td.failed").count() >= 8


def test_a_name_in_two_datasets_asks_which(visit: Visit) -> None:
    page = open_items(visit, "#item=pump_curve_001")
    page.locator("#item-missing").get_by_role("link", name="second").click()
    assert page.locator("#item-about").text_content().startswith("second, ")
    assert page.url.endswith("#item=second/pump_curve_001")


def test_an_unknown_name_says_so(visit: Visit) -> None:
    page = open_items(visit, "#item=no_such_item")
    assert page.locator("#item-missing").text_content() == "No such item."


def test_keys_step_and_close(visit: Visit) -> None:
    page = open_items(visit, "#item=plotchain/bandpass_response_000")
    page.locator("#item-question").wait_for()
    for key, name in (("j", "bandpass_response_001"), ("ArrowRight", "bode_magnitude_000"),
                      ("k", "bandpass_response_001"), ("ArrowLeft", "bandpass_response_000"),
                      ("k", "bandpass_response_000")):  # fmt: skip
        page.keyboard.press(key)
        assert title(page) == name
        assert page.url.endswith(f"#item=plotchain/{name}")
    page.keyboard.press("Escape")
    assert not page.locator("#item").is_visible()
    assert "#item=" not in page.url


def test_typing_in_a_filter_steps_nowhere(visit: Visit) -> None:
    page = open_items(visit, "#items")
    box = page.get_by_label("Name contains")
    box.focus()
    page.keyboard.type("jk")
    assert box.input_value() == "jk"
    assert count(page) == "0 of 60 items"
    assert not page.locator("#item").is_visible()


def test_back_leads_out_of_an_item(visit: Visit) -> None:
    page = open_items(visit, "#items")
    page.locator("#items-list tbody a").first.click()
    page.locator("#item").wait_for(state="visible")
    page.keyboard.press("j")
    page.go_back()
    page.locator("#item").wait_for(state="hidden")
    assert page.url.endswith("#items")


def test_filters_keep_what_they_say(visit: Visit) -> None:
    page = open_items(visit, "#items")
    form = page.locator("#items-filters")
    assert count(page) == "60 of 60 items"
    form.locator("[name=dataset]").select_option("second")
    form.locator("[name=group]").select_option("pump_curve")
    assert count(page) == "2 of 60 items"
    form.get_by_role("button", name="Reset").click()
    page.wait_for_function("document.getElementById('items-count').textContent.startsWith('60')")
    shown = {}
    form.locator("[name=model]").select_option("reader")
    for verdict in ("all", "failed"):
        form.locator("[name=verdict]").select_option(verdict)
        shown[verdict] = int(count(page).split()[0])
    assert sum(shown.values()) == 60
    form.locator("[name=verdict]").select_option("")
    form.locator("[name=against]").select_option("blind")
    assert 0 < int(count(page).split()[0]) <= 60
    # A step goes to the next of the matches.
    form.locator("[name=group]").select_option("sn_curve")
    names = page.locator("#items-list tbody th").all_text_contents()
    page.locator("#items-list tbody a").first.click()
    for name in names:
        assert title(page) == name
        page.keyboard.press("j")


@pytest.mark.parametrize(
    "item", ["bandpass_response_000", "bandpass_response_001", "bode_magnitude_000"]
)
def test_hostile_answers_are_text(visit: Visit, item: str) -> None:
    page = open_items(visit, f"#item=plotchain/{item}")
    page.locator("#item-answers details").first.wait_for()
    answers = page.locator("#item-answers details", has_text=HOSTILE_LABEL)
    text = answers.locator("pre").first.text_content()
    assert text.startswith(("<script>", "</script>", "<!--"))
    assert len(text) <= 4096
    assert answers.locator(".cut").count() == (1 if text.startswith("<!--") else 0)
    assert page.locator("img[src=x]").count() == 0
    assert page.title() == "PlotChain report"


def test_a_missing_picture_is_said_to_be_missing(visit: Visit) -> None:
    page = open_items(visit, "#item=plotchain/pump_curve_000")
    page.locator("#item-frame.missing").wait_for()
    assert "lacks the picture" in page.locator("#item-frame").text_content()


def test_an_item_fits_a_phone(visit: Visit) -> None:
    page = open_items(visit, ITEM, width=360)
    page.locator("#item-question").wait_for()
    widths = page.evaluate(
        "['item', 'item-body'].map(id => document.getElementById(id).scrollWidth)"
    )
    assert max(widths) <= 360


@pytest.mark.long
@pytest.mark.parametrize(("scheme", "width"), [("light", 1440), ("dark", 390)])
def test_an_item_has_no_serious_barrier(visit: Visit, scheme: str, width: int) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    page = open_items(visit, ITEM, width=width, color_scheme=scheme)
    page.locator("#item-answers details").first.wait_for()
    page.evaluate("document.querySelectorAll('main > *:not(#item)').forEach((e) => e.remove())")
    found = axe.Axe().run(page).response["violations"]
    serious = [
        f"{rule['id']} ({rule['impact']}): {rule['nodes'][0]['html'][:200]}"
        for rule in found
        if rule["impact"] in ("serious", "critical")
    ]
    assert serious == []
