"""A clone in miniature: the real Snakefile, rules, scripts and library on two families."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

ROOT = Path(__file__).resolve().parents[2]
FAMILIES = ("bandpass_response", "pump_curve")
CODE = (
    "Snakefile", "workflow", "plotchain_lib", "profiles", "config/policies", "config/prices.yaml",
)  # fmt: skip


def small_config() -> dict[str, Any]:
    return {
        "datasets": {
            "small": {
                "suite": "plotchain", "seed": 0, "items_per_family": 2, "families": list(FAMILIES),
            },
        },
        "models": {
            "blind": {"kind": "blind"},
            "replay": {"kind": "recorded", "file": "replay.jsonl"},
        },
        "suites": {"plotchain": {"policies": ["plotread", "strict"], "repeats": 1}},
        "significance": {"alpha": 0.05, "resamples": 200, "seed": 0},
        "limit": None,
    }  # fmt: skip


def replay_lines(items: int = 3, repeats: int = 3) -> str:
    """Made-up raw outputs for every item and repeat that a test may ask for."""
    forms = ('{"%s": 100, "%s": 1e3}', 'It reads:\n```json\n{"%s": 2.5, "%s": null}\n```', "none")
    keys = {"bandpass_response": ("resonance_hz", "bandwidth_hz"),
            "pump_curve": ("head_at_qop_m", "cp_qmax_m3h")}  # fmt: skip
    records = [
        {"id": f"{family}_{index:03d}", "repeat": repeat, "latency_s": 1.5 + index, "error": None,
         "raw_text": form % keys[family] if "%" in (form := forms[index % 3]) else form}
        for family in FAMILIES for index in range(items) for repeat in range(1, repeats + 1)
    ]  # fmt: skip
    return "".join(json.dumps(record) + "\n" for record in records)


def jobs_of(ended: subprocess.CompletedProcess[str]) -> Counter[str]:
    """Jobs by rule, from the table that Snakemake prints before it starts."""
    table = (ended.stdout + ended.stderr).partition("Job stats")[2].partition("total")[0]
    rows = re.findall(r"^ ?([a-z][a-z_ ]*?) +(\d+) *$", table, re.MULTILINE)
    return Counter({rule.replace(" ", "_"): int(count) for rule, count in rows if rule != "all"})


@dataclass(frozen=True)
class Workspace:
    """A folder in which the workflow runs."""

    folder: Path

    def run(
        self, *arguments: str, check: bool = True, timeout_s: float = 300
    ) -> subprocess.CompletedProcess[str]:
        """Run Snakemake as a user would, the default profile loading by itself."""
        command = [sys.executable, "-m", "snakemake", *arguments]
        environment = {k: v for k, v in os.environ.items() if k != "PLOTCHAIN_REFERENCE"}
        ended = subprocess.run(
            command, cwd=self.folder, capture_output=True, text=True, timeout=timeout_s, check=False,
            env=environment | {"PLOTCHAIN_IDLE_S": "20"},
        )  # fmt: skip
        if check:
            assert ended.returncode == 0, ended.stdout[-3000:] + ended.stderr[-3000:]
        return ended

    def build(self, *targets: str) -> Counter[str]:
        """Run for real; how many jobs of each rule it started."""
        return jobs_of(self.run("--cores", "2", *targets))

    def planned(self, *targets: str) -> Counter[str]:
        """How many jobs of each rule a run would start."""
        return jobs_of(self.run("--dry-run", "--cores", "2", *targets))

    def edit_config(self, **sections: Any) -> None:
        path = self.folder / "config/config.yaml"
        config = yaml.safe_load(path.read_text())
        config.update(sections)
        path.write_text(yaml.safe_dump(config, sort_keys=False))

    def replace(self, path: str, old: str, new: str) -> None:
        file = self.folder / path
        text = file.read_text()
        assert old in text
        file.write_text(text.replace(old, new, 1))

    def journal(self) -> list[dict[str, Any]]:
        """Every call the broker made, in order."""
        path = self.folder / ".plotchain/cache/journal.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()]

    def asked(self) -> int:
        """How many calls were ever started."""
        return sum(entry["event"] == "asked" for entry in self.journal())

    def tables(self) -> dict[str, bytes]:
        """What must be the same, byte for byte, however it came about: all but the run's facts."""
        patterns = ("*/answers/*/*.parquet", "*/scores/*", "*/significance/*", "*/validation*.csv",
                    "*/certificate.csv", "*/manifest.json", "tables/*", "numbers.json")  # fmt: skip
        results = self.folder / "results"
        return {
            str(path.relative_to(results)): path.read_bytes()
            for pattern in patterns
            for path in sorted(results.glob(pattern))
            if path.is_file() and "logs" not in path.parts
        }

    def half_written(self) -> list[str]:
        """Temporary files left behind."""
        return [str(p) for p in (self.folder / "results").rglob(".*") if p.is_file()
                and p.name != ".snakemake_timestamp"]  # fmt: skip


def new_workspace(folder: Path, config: dict[str, Any] | None = None) -> Workspace:
    """The project's own files and a small configuration, nothing built."""
    folder.mkdir(parents=True)
    for name in CODE:
        source = ROOT / name
        copy = shutil.copytree if source.is_dir() else shutil.copy2
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        copy(source, folder / name)
    (folder / "config/config.yaml").write_text(
        yaml.safe_dump(config or small_config(), sort_keys=False)
    )
    (folder / "replay.jsonl").write_text(replay_lines())
    return Workspace(folder)


def comparable(workspace: Workspace) -> dict[str, Any]:
    """All tables of a finished run, without the seconds that its calls took."""
    found: dict[str, Any] = {}
    for name, data in workspace.tables().items():
        path = workspace.folder / "results" / name
        if "/answers/" in name:
            found[name] = pd.read_parquet(path).drop(columns="latency_s").to_csv()
        elif path.suffix == ".json":
            found[name] = json.dumps(_without_latency(json.loads(data)))
        elif "latency" not in name:
            found[name] = data
    return found


def _without_latency(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _without_latency(v) for k, v in value.items() if "latency" not in k}
    return value
