"""Small datasets of both suites, and replies to them judged by the pipeline's own stages."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plotchain_lib import suites
from plotchain_lib.item import Item, Request
from plotchain_lib.metrics import item_table
from plotchain_lib.models import recorded
from plotchain_lib.parse import parse_responses
from plotchain_lib.suites.verdicts import verdicts

POLICIES = Path(__file__).resolve().parents[2] / "config" / "policies"


@dataclass(frozen=True)
class Small:
    """A few items of one suite with their pictures, and one made-up reply to each."""

    items: list[Item]
    pictures: dict[str, Path]
    replies: dict[str, str]
    policies: dict[str, list[Path]]

    def record(self, path: Path, **more: Any) -> Path:
        """The replies as recorded answers."""
        lines = [
            json.dumps({"id": item, "raw_text": text, "latency_s": 1.5, "error": None, **more})
            for item, text in self.replies.items()
        ]
        path.write_text("\n".join(lines) + "\n")
        return path

    def judged(self, raw: Path, folder: Path) -> dict[str, dict[str, tuple[float, float]]]:
        """Policy, item to (final all-pass, share of fields), by the stages' own functions."""
        folder.mkdir()
        files = []
        for item in self.items:
            material = recorded.material(raw, item)
            assert material is not None
            request = Request("recorded", {}, item.prompt, (), None, 1, material, item.id)
            response = recorded.answer(request)
            files.append(folder / f"{item.id}.1.json")
            files[-1].write_text(json.dumps({
                "dataset": "small", "model": "replay", "item": item.id, "repeat": 1,
                "outcome": response.outcome, "text": response.text,
            }))  # fmt: skip
        suite = self.items[0].suite
        parsing = "tolerant" if suite == "plotchain" else "text"
        read = suites.judging(suite).reader(parsing)
        answers = parse_responses(files, self.items, parsing, read)
        found = {}
        for policy, (file, *_) in self.policies.items():
            table = item_table(verdicts(suite, self.items, answers, file))
            found[policy] = {
                row.item: (row.final_all_pass, row.passed / row.n) for row in table.itertuples()
            }
        return found


def drawn(suite: str, items: list[Item], folder: Path) -> dict[str, Path]:
    pictures = {}
    for item in items:
        pictures[item.id] = folder / f"{item.id}.png"
        pictures[item.id].write_bytes(suites.load(suite).draw(item)[0])
    return pictures
