"""A report with everything that may go wrong in it, and a real browser to look at it with."""

from __future__ import annotations

import fcntl
import importlib.util
import itertools
import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pandas as pd
import pytest

from plotchain_lib.report import DatasetInputs, ReportInputs, compose, load_datasets
from plotchain_lib.report.figures import Drawings
from plotchain_lib.report.item_blobs import item_browser
from plotchain_lib.report.overview import overview_tables
from plotchain_lib.report.page import render_page

CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync",
    "--disable-component-update", "--disable-quic", "--disable-dev-shm-usage",
)  # fmt: skip
DATASETS = ("plotchain", "second")
HOSTILE_LABEL = '<img src=x onerror="document.title=1">'
HOSTILE_ANSWERS = (
    "<script>document.title='owned'</script>",
    "</script><img src=x onerror=\"document.title='owned'\">",
    "<!--" + "x" * 100_000,
)


def _module(path: str) -> ModuleType:
    """A file of the report's own tests, whose makers of inputs are used here too."""
    file = Path(__file__).parents[1] / "report" / path
    spec = importlib.util.spec_from_file_location(f"report_{file.stem}", file)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def write_page(folder: Path, models: int = 3) -> Path:
    """Two datasets, a hostile label, hostile answers, pending calls; returns the page."""
    made_up, items = _module("conftest.py"), _module("test_items.py")
    entries: list[DatasetInputs] = []
    kinds: dict[str, str] = {}
    for seed, name in enumerate(DATASETS, start=1):
        own = folder / name
        made = made_up.make_inputs(own, models, items_per_family=2, seed=seed, dataset=name)
        kinds = {_hostile(label): kind for label, kind in made["models"].items()}
        _make_hostile(made["datasets"][name])
        made = ReportInputs.from_mapping({"models": kinds, "datasets": made["datasets"]})
        entries += items.with_browser(made, own).datasets
        _answer_hostilely(own / f"{HOSTILE_LABEL}.jsonl")
    datasets = load_datasets(ReportInputs(tuple(entries), kinds))
    browser = item_browser([(d, e.browser) for d, e in zip(datasets, entries, strict=True)
                            if e.browser is not None])  # fmt: skip
    overview = overview_tables(datasets)
    page = folder / "report.html"
    page.write_text(render_page(compose(datasets), overview, Drawings(), browser), encoding="utf-8")
    return page


def _hostile(label: str) -> str:
    return HOSTILE_LABEL if label == "gpt-4.1" else label


def _make_hostile(entry: dict[str, Any]) -> None:
    """Give one model a label of markup."""
    for files in (entry["scores"], *entry["answers"].values()):
        for path in files.values():
            frame = pd.read_parquet(path).replace({"model": {"gpt-4.1": HOSTILE_LABEL}})
            frame.to_parquet(path)
    escaped = json.dumps(HOSTILE_LABEL)
    for path in (entry["run"], *entry["significance"].values()):
        Path(path).write_text(Path(path).read_text().replace('"gpt-4.1"', escaped))


def _answer_hostilely(replies: Path) -> None:
    """Replace one model's replies by texts of markup, each kind in turn."""
    lines = [json.loads(line) for line in replies.read_text().splitlines()]
    for line, text in zip(lines, itertools.cycle(HOSTILE_ANSWERS), strict=False):
        line["raw_text"] = text
    replies.write_text("".join(json.dumps(line) + "\n" for line in lines))


@pytest.fixture(scope="session")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page's file, made once for all test processes."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    with (shared / "page.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        folder, done = shared / "page", shared / "page.done"
        if not done.exists():
            shutil.rmtree(folder, ignore_errors=True)  # of a build that failed
            write_page(folder)
            done.touch()
    return folder / "report.html"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Debian's Chromium, Chrome, or Playwright's own; skips with a reason where there is none.

    Of a module: Playwright's loop runs while it lives, and no test beside could run one of its own.
    """
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    found = next(filter(None, map(shutil.which, CHROMIUM)), None)
    with playwright.sync_playwright() as engine:
        own = engine.chromium.executable_path
        if found is None and not Path(own).exists():
            pytest.skip("no Chromium on this machine: install Debian's package chromium")
        root = os.geteuid() == 0  # Chromium's sandbox does not work for root
        flags = [*FLAGS, *(["--no-sandbox"] if root else [])]
        launched = engine.chromium.launch(executable_path=found or own, args=flags)
        yield launched
        launched.close()


@pytest.fixture
def visit(browser: Any, report: Path) -> Iterator[Callable[..., Any]]:
    """Opens the page; afterwards nothing may have gone wrong on the console or left for a network.

    ``visit("#anchor", width=360, color_scheme="dark")`` returns a Playwright page.
    """
    contexts: list[Any] = []
    problems: list[str] = []

    def open_page(anchor: str = "", width: int = 1440, **options: Any) -> Any:
        context = browser.new_context(viewport={"width": width, "height": 900}, **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(90_000)  # a busy machine is slow, not wrong
        page.on("console", lambda line: problems.append(line.text) if line.type == "error" else 0)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("dialog", lambda dialog: (problems.append(dialog.message), dialog.dismiss()))
        page.on("request", lambda request: problems.append(request.url)
                if not request.url.startswith(("file:", "data:", "blob:")) else 0)  # fmt: skip
        page.goto(report.as_uri() + anchor)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert problems == []
