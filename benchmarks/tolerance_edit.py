"""One tolerance edited with 1,800 responses in place: `python benchmarks/tolerance_edit.py`.

Builds the default dataset with four models (blind, and the truth perturbed three times), edits one
row of a policy, and times the whole command. The baseline in the same run is the first build.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "workflow"))

from clone import Workspace, new_workspace

from plotchain_lib.sampling import unit
from plotchain_lib.suites.plotchain import families, generate

MODELS = 3  # beside blind
ROW = "- [bandpass_response, bandwidth_hz, 0.0, 0.08]"


def write_answers(folder: Path) -> None:
    """Raw outputs of made-up models, the k-th wrong by up to 5 k percent."""
    for model in range(1, MODELS + 1):
        lines = []
        for name in families.names():
            for item in generate.items(families.load(name), 0, 30):
                values = {
                    field: float(truth) * (1 + 0.1 * model * (unit((model, item.id, field)) - 0.5))
                    for field, truth in item.truth.items()
                }
                record = {"id": item.id, "raw_text": json.dumps(values), "latency_s": 1.0 + model,
                          "error": None}  # fmt: skip
                lines.append(json.dumps(record) + "\n")
        (folder / f"model-{model}.jsonl").write_text("".join(lines))


def timed(workspace: Workspace, what: str) -> float:
    """Seconds of one run of the whole command."""
    start = time.perf_counter()
    workspace.run("--cores", "8", "results/report.html")
    seconds = time.perf_counter() - start
    print(f"{what:45}{seconds:8.1f} s")
    return seconds


def main() -> None:
    """Build, edit, build again."""
    with tempfile.TemporaryDirectory() as temporary:
        models = {
            f"model-{k}": {"kind": "recorded", "file": f"model-{k}.jsonl"}
            for k in range(1, MODELS + 1)
        }
        config = {
            "datasets": {"plotchain": {"suite": "plotchain", "seed": 0, "items_per_family": 30}},
            "models": {"blind": {"kind": "blind"}, **models},
            "suites": {"plotchain": {"policies": ["plotread", "strict"]}},
        }
        workspace = new_workspace(Path(temporary) / "clone", config)
        write_answers(workspace.folder)
        first = timed(workspace, "first build (baseline)")
        responses = list(workspace.folder.glob("results/plotchain/responses/*/*.json"))
        path = "config/policies/plotchain/plotread.yaml"
        workspace.replace(path, ROW, ROW.replace("0.08", "0.07"))
        again = timed(workspace, f"after a tolerance edit, {len(responses)} responses")
        timed(workspace, "nothing changed")
        print(f"edit: {again / first:.2f} of the first build")


if __name__ == "__main__":
    main()
