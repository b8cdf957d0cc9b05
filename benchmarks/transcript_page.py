"""How large the item browser's part of the page is with many long episodes.

    python -m benchmarks.transcript_page [--models 10] [--attempts 3] [--turns 14]

Every shipped task is played by every model as often as the attempts say. Nobody is asked: a
turn's reply is lines of this library (prose and code), its output rows of numbers, 2 to 4 kB
together; each episode submits one of two dozen figures. Prints the size of
each part and how many replies were kept whole.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from PIL import Image

from plotchain_lib.files import write_items
from plotchain_lib.item import ANSWER_COLUMNS, Item
from plotchain_lib.pictures import picture_table
from plotchain_lib.report.browser_inputs import BrowserInputs
from plotchain_lib.report.inputs import DatasetInputs, load_dataset
from plotchain_lib.report.item_blobs import item_browser
from plotchain_lib.report.packing import unpack
from plotchain_lib.suites.matplotgym import suite
from plotchain_lib.suites.matplotgym.submissions import as_webp
from plotchain_lib.suites.verdicts import verdicts

ROOT = Path(__file__).resolve().parents[1]
POLICY = ROOT / "config" / "policies" / "matplotgym" / "decisions.yaml"
LINES = [
    line
    for path in sorted((ROOT / "plotchain_lib").rglob("*.py"))
    for line in path.read_text(encoding="utf-8").splitlines()
]


def text_of(random: Any, size: int) -> str:
    """Consecutive lines of the library from a random place, about `size` characters."""
    start, length = int(random.integers(len(LINES) - 400)), 0
    parts: list[str] = []
    while length < size:
        parts.append(LINES[(start + len(parts)) % len(LINES)])
        length += len(parts[-1]) + 1
    return "\n".join(parts)


def output_of(random: Any, size: int) -> str:
    """Rows of numbers, as a printed table."""
    numbers = random.normal(size=(size // 40 + 1, 4))
    return "\n".join(
        f"{i:4d} " + " ".join(f"{v:8.3f}" for v in row) for i, row in enumerate(numbers)
    )


def record_of(random: Any, turns: int) -> dict[str, Any]:
    """An episode of this many turns of 2 to 4 kB."""
    played = []
    for number in range(1, turns + 1):
        size = int(random.integers(2000, 4000))
        played.append({
            "turn": number, "kind": "python", "path": "", "note": "", "ends": number == turns,
            "output": output_of(random, size // 3), "code": 0, "stopped": "", "seconds": 1.0,
            "told": "", "reply": {"text": text_of(random, size * 2 // 3), "outcome": "answered"},
        })  # fmt: skip
    return {"protocol": 1, "sealed": True, "end": "done", "reason": "", "reminded": False,
            "submission": text_of(random, 4000), "tampering": [], "outside": [],
            "turns": played}  # fmt: skip


def drawn_figures() -> list[Image.Image]:
    """A few figures of usual size."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    random, found = np.random.default_rng(1), []
    for panels in (1, 2, 3, 4):
        figure, axes = plt.subplots(1, panels, figsize=(4 * panels, 4), squeeze=False)
        for axis in axes[0]:
            for k in range(4):
                axis.plot(np.cumsum(random.normal(size=60)), label=f"condition {k}")
                axis.scatter(*random.normal(size=(2, 150)) * 9, s=6)
            axis.legend()
        stream = io.BytesIO()
        figure.savefig(stream, format="png", dpi=100)
        plt.close(figure)
        found.append(Image.open(io.BytesIO(stream.getvalue())).convert("RGB"))
    return found


def figure_bytes(picture: Image.Image, random: Any) -> bytes:
    """One of them with a mark of its own, as the table of submissions holds it."""
    own = picture.copy()
    x, y = int(random.integers(own.width - 60)), int(random.integers(own.height - 60))
    own.paste(tuple(int(v) for v in random.integers(0, 255, 3)), (x, y, x + 50, y + 50))
    stream = io.BytesIO()
    own.save(stream, "PNG", compress_level=1)
    return as_webp(stream.getvalue())


def write_model(
    folder: Path, items: list[Item], model: str, figures: list[bytes], options: Any
) -> pd.DataFrame:
    """One model's raw answers, tables and answers."""
    random = np.random.default_rng(int(hashlib.sha256(model.encode()).hexdigest()[:8], 16))
    raw, rows, drawn, answers = [], [], [], []
    for item in items:
        for attempt in range(1, options.attempts + 1):
            record = record_of(random, options.turns)
            name = f"{model}{item.id}{attempt}"
            raw.append(
                {"id": item.id, "repeat": attempt, "raw_text": json.dumps(record), "error": None}
            )
            rows.append((item.id, attempt, name, "[]", False))
            own = figures[int(random.integers(len(figures)))]
            drawn.append((item.id, name, "", "", True, own))
            for field in item.fields:
                answers.append(("matplotgym", model, item.id, attempt, field.name,
                                float(random.uniform()), "right series, wrong values", "direct",
                                "answered", 1.0, 1.0, 1.0, 0.0))  # fmt: skip
    (folder / f"{model}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in raw))
    names = ["item", "repeat", "script_sha256", "answer_tokens", "drew_unsubmitted"]
    pd.DataFrame(rows, columns=names).to_parquet(folder / f"{model}-episodes.parquet")
    names = ["item", "script_sha256", "failure", "reason", "sealed", "webp"]
    pd.DataFrame(drawn, columns=names).to_parquet(folder / f"{model}-submissions.parquet")
    return pd.DataFrame(answers, columns=list(ANSWER_COLUMNS))


def main() -> None:
    """Make, pack, measure."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    for name, value in (("models", 10), ("attempts", 3), ("turns", 14)):
        parser.add_argument(f"--{name}", type=int, default=value)
    options = parser.parse_args()
    shards = {s: suite.items(s, None, len(n), {"tasks": ""}) for s, n in suite.ids({}).items()}
    items = [item for own in shards.values() for item in own]
    models = [f"model-{n}" for n in range(options.models)]
    random, pictures = np.random.default_rng(0), drawn_figures()
    figures = [figure_bytes(picture, random) for picture in pictures for _ in range(6)]
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for shard, own in shards.items():
            write_items(folder / f"{shard}.jsonl", own)
            for place, item in enumerate(own):
                pictures[place % len(pictures)].save(folder / f"{item.id}.png")
            table = picture_table([folder / f"{item.id}.png" for item in own], reduced=False)
            table.to_parquet(folder / f"{shard}.parquet")
        answers = [write_model(folder, items, model, figures, options) for model in models]
        raw = sum((folder / f"{model}.jsonl").stat().st_size for model in models)
        count = len(items) * options.attempts * len(models)
        print(f"records              {raw / 1e6:8.1f} MB in {count} episodes")
        measure(folder, items, list(shards), models, pd.concat(answers, ignore_index=True))


def measure(
    folder: Path, items: list[Item], shards: list[str], models: list[str], answers: pd.DataFrame
) -> None:
    """Build the browser's part of the page and print its sizes."""
    answers.to_parquet(folder / "answers.parquet")
    verdicts("matplotgym", items, answers, POLICY).to_parquet(folder / "scores.parquet")
    (folder / "run.json").write_text("{}")
    (folder / "significance.json").write_text(json.dumps({"metrics": [], "pairs": []}))
    browser = BrowserInputs(
        tuple(folder / f"{shard}.jsonl" for shard in shards),
        {model: folder / f"{model}.jsonl" for model in models},
        {shard: folder / f"{shard}.parquet" for shard in shards}, None,
        episodes={model: folder / f"{model}-episodes.parquet" for model in models},
        submissions={model: folder / f"{model}-submissions.parquet" for model in models},
    )  # fmt: skip
    inputs = DatasetInputs(
        "matplotgym", "matplotgym", "decisions", {"decisions": folder / "scores.parquet"},
        {"decisions": folder / "significance.json"},
        {"figure": {"all": folder / "answers.parquet"}}, folder / "run.json", browser=browser,
    )  # fmt: skip
    dataset = load_dataset(inputs, dict.fromkeys(models, "openai"))
    start, busy = time.perf_counter(), time.process_time()
    found = item_browser([(dataset, browser)])
    assert found is not None
    busy, start = time.process_time() - busy, time.perf_counter() - start
    sizes: Counter[str] = Counter()
    for name, blob in found.blobs.items():
        sizes[name.split("-")[1]] += len(blob.encode())
    for part, size in sizes.items():
        print(f"{part:20} {size / 1e6:8.1f} MB")
    print(f"together             {sum(sizes.values()) / 1e6:8.1f} MB")
    print(f"packed in            {busy:8.0f} s CPU ({start:.0f} s)")
    first = next(blob for name, blob in found.blobs.items() if "-episodes-" in name)
    turns = [t for run in unpack(first)["runs"][0] for t in run["episode"]["turns"]]
    whole = sum(t["reply"][1] == 0 for t in turns) / len(turns)
    print(f"replies kept whole   {100 * whole:8.0f} % of the first task's")


if __name__ == "__main__":
    main()
