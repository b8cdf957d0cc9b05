"""What the benchmarks of asked models share: a workspace whose pictures are drawn, the models that
a local server of all four wire formats answers for, and what must be equal however it came about.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "workflow")]

from clone import Workspace, comparable, new_workspace  # noqa: E402
from wire_formats import KEY_VARIABLES, WIRES  # noqa: E402
from wire_servers import WireServer  # noqa: E402

__all__ = [
    "FAMILIES", "KEYS", "MODELS", "WireServer", "Workspace", "calls_of", "comparable",
    "configuration", "copy_of", "drawn", "files_with_keys", "outcomes", "server",
]  # fmt: skip

KEYS = {wire: f"bench-{wire}-1f2e3d4c5b6a" for wire in WIRES}
FAMILIES = ("bandpass_response", "bode_magnitude", "iv_resistor", "pump_curve", "stress_strain")
MODELS = {
    "openai": {"kind": "openai", "model": "gpt-4.1"},
    "compatible": {"kind": "openai_compatible", "model": "local", "key": "COMPATIBLE_API_KEY"},
    "anthropic": {"kind": "anthropic", "model": "claude-opus-5-5"},
    "gemini": {"kind": "gemini", "model": "gemini-2.5-pro"},
}


def server(**options: Any) -> WireServer:
    """A server that takes the benchmarks' keys, which go into this process's environment."""
    os.environ.update({KEY_VARIABLES[wire]: key for wire, key in KEYS.items()})
    return WireServer(KEYS, **options)


def configuration(
    address: str,
    *,
    models: tuple[str, ...] = tuple(MODELS),
    items: int,
    repeats: int,
    **settings: Any,
) -> dict[str, Any]:
    """`items` a family, each asked `repeats` times of each of these models."""
    shared = {"base_url": address, "timeout_s": 8, **settings}
    return {
        "datasets": {"small": {"suite": "plotchain", "seed": 0, "items_per_family": items,
                               "families": list(FAMILIES)}},
        "models": {label: MODELS[label] | shared for label in models},
        "suites": {"plotchain": {"policies": ["plotread"], "repeats": repeats}},
        "significance": {"alpha": 0.05, "resamples": 200, "seed": 0},
        "limit": None,
    }  # fmt: skip


def drawn(folder: Path, config: dict[str, Any]) -> Workspace:
    """A workspace with its items and pictures made and nobody asked."""
    workspace = new_workspace(folder, config)
    workspace.build("results/small/manifest.json", "results/small/floor.json")
    return workspace


def copy_of(workspace: Workspace, folder: Path, **sections: Any) -> Workspace:
    """The same workspace elsewhere, with other sections in its configuration."""
    shutil.copytree(workspace.folder, folder, symlinks=True)
    copy = Workspace(folder)
    copy.edit_config(**sections)
    return copy


def calls_of(workspace: Workspace) -> int:
    """How many answers the workspace's configuration asks for."""
    config = yaml.safe_load((workspace.folder / "config/config.yaml").read_text())
    dataset = config["datasets"]["small"]
    each = dataset["items_per_family"] * len(dataset["families"])
    return int(each * config["suites"]["plotchain"]["repeats"] * len(config["models"]))


def outcomes(workspace: Workspace) -> dict[str, int]:
    """How many response files there are of each outcome."""
    found: dict[str, int] = {}
    for path in (workspace.folder / "results/small/responses").glob("*/*.json"):
        outcome = json.loads(path.read_bytes())["outcome"]
        found[outcome] = found.get(outcome, 0) + 1
    return found


def files_with_keys(folder: Path) -> list[str]:
    """The files below a folder that hold one of the keys."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    keys = [key.encode() for key in KEYS.values()]
    return [str(path) for path in files if any(key in path.read_bytes() for key in keys)]
