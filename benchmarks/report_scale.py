"""The report of 20 models and 2,205 items: how long to build, how large, how quick in a browser.

    python -m benchmarks.report_scale [--recorded raw_outputs.jsonl ...] [--keep FOLDER]

Makes a run's tables by library calls (the pictures and what the reader saw of them: two a family,
used again and again, the drawings jittered so that they pack no better than true ones), builds
figures and page in processes of their own, as the workflow does, and prints seconds and bytes. The
models' answers are the truth perturbed; with --recorded they stand inside texts that true models
wrote. With Playwright and a Chromium it also prints first paint and the slowest filter.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from plotchain_lib import suites
from plotchain_lib.files import write_atomically, write_items
from plotchain_lib.item import ANSWER_COLUMNS, Item, Request
from plotchain_lib.models import reader
from plotchain_lib.models.reader.overlay import overlay
from plotchain_lib.overlays import OVERLAY_COLUMNS, thinned
from plotchain_lib.pictures import picture_table
from plotchain_lib.statistics import significance
from plotchain_lib.suites.verdicts import verdicts
from plotchain_lib.tables import write_table

ROOT = Path(__file__).resolve().parents[1]
POLICIES = ("plotread", "strict", "plotread-paper-parsing")
BASELINES = {"reader": "reader", "blind": "blind"}
PLAIN = (
    "{answer}",
    "```json\n{answer}\n```",
    "Reading the plot step by step.\n\n{answer}\n\nDone.",
)
BUILD = (
    "import json, sys, time\n"
    "from pathlib import Path\n"
    "from plotchain_lib.report import ReportInputs, {call}\n"
    "inputs = ReportInputs.from_mapping(json.loads(Path('inputs.json').read_text()))\n"
    "{call}(inputs, *map(Path, sys.argv[1:]))\n"
)


def texts_around(files: Sequence[Path]) -> list[str]:
    """What models wrote around their JSON object, as templates."""
    found = []
    for path in files:
        for line in path.read_text(encoding="utf-8").splitlines():
            text = str(json.loads(line).get("raw_text") or "")
            start, end = text.find("{"), text.rfind("}") + 1
            if 0 <= start < end:
                found.append(text[:start] + "{answer}" + text[end:])
    return found or list(PLAIN)


def answers_of(
    items: Sequence[Item], label: str, skill: float, texts: Sequence[str], random: Any
) -> Iterator[tuple[Item, dict[str, float], str, str]]:
    """Item, values, text and outcome of one model: the truth, wrong by `skill` at one sigma."""
    for item in items:
        noise = random.standard_normal(len(item.fields)) * skill
        values = {
            field.name: float(f"{float(item.truth[field.name]) * (1 + error):.4g}")
            for field, error in zip(item.fields, noise, strict=True)
        }
        outcome = "truncated" if random.random() < 0.005 and label not in BASELINES else "answered"
        text = texts[int(random.integers(len(texts)))] if label not in BASELINES else "{answer}"
        yield item, values, text.replace("{answer}", json.dumps(values, indent=2)), outcome


def write_model(
    folder: Path, items: Sequence[Item], label: str, skill: float, texts: Sequence[str]
) -> pd.DataFrame:
    """Write one model's raw answers and its answer table; returns the table."""
    random = np.random.default_rng([hash_of(label), 1])
    rows, lines = [], []
    for item, values, text, outcome in answers_of(items, label, skill, texts, random):
        error = None if outcome == "answered" else f"{outcome}: the token limit"
        lines.append(json.dumps({"id": item.id, "raw_text": text, "error": error}) + "\n")
        call = ("large", label, item.id, 1)
        end = ("direct" if outcome == "answered" else "none", outcome, 2.5, 900.0, 120.0, 0.001)
        rows += [
            (*call, name, value if outcome == "answered" else np.nan, "", *end)
            for name, value in values.items()
        ]
    write_atomically(folder / "raw" / f"{label}.jsonl", "".join(lines))
    return pd.DataFrame(rows, columns=list(ANSWER_COLUMNS))


def hash_of(label: str) -> int:
    """A number that is the same in every process."""
    return int.from_bytes(label.encode()[-8:], "big")


def write_pictures(folder: Path, items: Mapping[str, list[Item]], reduced: bool) -> float:
    """Pictures and overlays of every shard from two drawn ones; seconds a picture to reduce."""
    suite = suites.load("plotchain")
    random = np.random.default_rng(2)
    overlays, seconds, drawn = [], 0.0, 0
    for shard, own in items.items():
        paths, seen = [], []
        for item in own[:2]:
            paths.append(folder / "images" / shard / f"{item.id}.png")
            png, _, _ = suite.draw(item)
            write_atomically(paths[-1], png)
            names = tuple(field.name for field in item.fields)
            asked = Request("reader", {}, item.prompt, names, png, 1)
            seen.append(reader.answer(asked).received["seen"])
        start = time.process_time()
        made = picture_table(paths, reduced)
        seconds, drawn = seconds + time.process_time() - start, drawn + len(paths)
        rows = made.iloc[[n % len(made) for n in range(len(own))]]
        table = rows.assign(item=[item.id for item in own])
        write_table(folder / "pictures" / f"{shard}.parquet", table)
        for number, item in enumerate(own):
            overlays.append((item.id, _jittered(seen[number % len(seen)], random), "{}"))
    write_table(folder / "overlays.parquet", pd.DataFrame(overlays, columns=list(OVERLAY_COLUMNS)))
    return seconds / drawn


def _jittered(seen: Mapping[str, Any], random: Any) -> str:
    if "size" not in seen:
        return ""
    curve = np.array(thinned(seen.get("curve") or [])).reshape(-1, 2)
    moved = {
        **seen,
        "box": np.round(np.array(seen["box"]) + random.uniform(-5, 5, 4), 2).tolist(),
        "curve": np.round(curve + random.uniform(-9, 9, curve.shape), 1).tolist(),
        "points": {
            name: [None if p is None else round(p + float(random.uniform(-20, 20)), 2) for p in at]
            for name, at in seen["points"].items()
        },
    }
    return overlay(moved, "", tuple(seen["size"]))


def make_run(folder: Path, models: int, per_family: int, recorded: Sequence[Path]) -> float:
    """Everything the report reads, and ``inputs.json``; seconds a picture to reduce."""
    suite, own = suites.load("plotchain"), folder / "results" / "large"
    items = {shard: suite.items(shard, 0, per_family, {}) for shard in suite.shards()}
    for shard, some in items.items():
        write_items(own / "items" / f"{shard}.jsonl", some)
    everything = [item for some in items.values() for item in some]
    texts = texts_around(recorded)
    skills = {f"model-{k:02d}": 0.03 + 0.015 * k for k in range(1, models + 1)}
    skills |= {"reader": 0.002, "blind": 2.0}
    answers = {m: write_model(own, everything, m, s, texts) for m, s in skills.items()}
    for label, frame in answers.items():
        write_table(own / "answers" / "tolerant" / f"{label}.parquet", frame)
    together = pd.concat(answers.values(), ignore_index=True)
    for name in POLICIES:
        policy = ROOT / "config" / "policies" / "plotchain" / f"{name}.yaml"
        judged = verdicts("plotchain", everything, together, policy)
        write_table(own / "scores" / f"{name}.parquet", judged)
        record = significance(judged, 0.05, 200, 0, set(BASELINES))
        write_atomically(own / "significance" / f"{name}.json", json.dumps(record))
    write_atomically(own / "run.json", json.dumps({"responses": 0, "models": {}}))
    reduced = len(everything) > 600
    seconds = write_pictures(own, items, reduced)
    write_atomically(folder / "inputs.json", json.dumps(_inputs(skills, list(items), reduced)))
    return seconds


def _inputs(labels: Mapping[str, float], shards: Sequence[str], reduced: bool) -> dict[str, Any]:
    own = "results/large"
    entry = {
        "suite": "plotchain", "headline": POLICIES[0],
        "scores": {name: f"{own}/scores/{name}.parquet" for name in POLICIES},
        "significance": {name: f"{own}/significance/{name}.json" for name in POLICIES},
        "answers": {"tolerant": {m: f"{own}/answers/tolerant/{m}.parquet" for m in labels}},
        "parsing": dict.fromkeys(POLICIES, "tolerant"), "run": f"{own}/run.json",
        "browser": {
            "items": [f"{own}/items/{shard}.jsonl" for shard in shards],
            "replies": {label: f"{own}/raw/{label}.jsonl" for label in labels},
            "pictures": {shard: f"{own}/pictures/{shard}.parquet" for shard in shards},
            "overlays": f"{own}/overlays.parquet", "reduced": reduced,
        },
    }  # fmt: skip
    kinds = {label: BASELINES.get(label, "openai") for label in labels}
    return {"models": kinds, "datasets": {"large": entry}}


def build(folder: Path, call: str, *paths: str) -> float:
    """Seconds of one stage in a process of its own, Python's start counted."""
    start = time.perf_counter()
    code = BUILD.format(call=call)
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", code, *paths], cwd=folder, env=environment, check=True)
    return time.perf_counter() - start


MEASURE = """
async () => {
  const paint = performance.getEntriesByName("first-contentful-paint")[0].startTime;
  const form = document.getElementById("items-filters"), times = {};
  const set = (name, value) => {
    const start = performance.now();
    form.elements[name].value = value;
    form.dispatchEvent(new Event("input"));
    document.body.offsetHeight;
    times[name] = performance.now() - start;
  };
  set("model", form.elements.model.options[1].value);
  set("verdict", "failed");
  set("against", form.elements.against.options[5].value);
  set("group", form.elements.group.options[2].value);
  set("text", "_01");
  form.reset();
  await new Promise((resolve) => setTimeout(resolve, 100));
  set("text", "");
  return { paint, ready: performance.timing.domContentLoadedEventEnd
           - performance.timing.navigationStart, times };
}
"""


def in_a_browser(page: Path) -> None:
    """First paint and filters in headless Chromium."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        print("no Playwright here: nothing measured in a browser")
        return
    with sync_playwright() as playwright:
        path = "/usr/bin/chromium" if Path("/usr/bin/chromium").exists() else None
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        tab = browser.new_page(viewport={"width": 1440, "height": 900})
        tab.goto(page.as_uri())
        tab.wait_for_selector("#items-list tbody tr")
        found = tab.evaluate(MEASURE)
        print(f"first paint          {found['paint']:8.0f} ms (whole page {found['ready']:.0f})")
        slowest = max(found["times"], key=found["times"].get)
        print(f"slowest filter       {found['times'][slowest]:8.0f} ms ({slowest})")
        start = time.perf_counter()
        tab.evaluate("location.hash = 'item=bandpass_response_007'")
        tab.wait_for_selector("#item-answers details")
        print(f"an item opened       {1000 * (time.perf_counter() - start):8.0f} ms")
        browser.close()


def main() -> None:
    """Make, build, measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--models", type=int, default=20)
    parser.add_argument("--per-family", type=int, default=147)
    parser.add_argument("--recorded", type=Path, nargs="*", default=[])
    parser.add_argument("--keep", type=Path, help="where the run shall stay")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = (options.keep or Path(temporary)).resolve()
        recorded = [path.resolve() for path in options.recorded]
        reducing = make_run(folder, options.models, options.per_family, recorded)
        figures = build(folder, "build_figures", "results/figures")
        page = build(folder, "build_page", "results", "results/figures")
        size = (folder / "results" / "report.html").stat().st_size
        print(f"figures              {figures:8.1f} s")
        print(f"page                 {page:8.1f} s, together {figures + page:.1f}")
        print(f"size                 {size / 1e6:8.1f} MB")
        print(f"pictures, once       {1000 * reducing:8.0f} ms CPU each")
        in_a_browser(folder / "results" / "report.html")


if __name__ == "__main__":
    main()
