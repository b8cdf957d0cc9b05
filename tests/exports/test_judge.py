"""One reply judged, and nothing of the optional tools loaded before it is needed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from small_sets import POLICIES, Small

from plotchain_lib.exports.judge import judge, outcome_of, scores_of
from plotchain_lib.item import PlotChainError

PLOTREAD = POLICIES / "plotchain" / "plotread.yaml"


def test_worked_out_by_hand(plotchain: Small) -> None:
    item = plotchain.items[0]  # finals: resonance_hz, bandwidth_hz; three checkpoints
    truth = float(item.truth["resonance_hz"])
    # 5 % are allowed of the one final; the other and the checkpoints are not answered.
    reply = f'{{"resonance_hz": {truth * 1.049}}}'
    assert scores_of(item, reply, [PLOTREAD]) == {"plotread": 0.0, "plotread_fields": 0.2}
    reply = f'{{"resonance_hz": {truth * 0.951}, "bandwidth_hz": {item.truth["bandwidth_hz"]}}}'
    assert scores_of(item, reply, [PLOTREAD]) == {"plotread": 1.0, "plotread_fields": 0.4}
    table = judge(item, reply, [PLOTREAD])["plotread"]
    assert table["passed"].tolist() == [True, True, False, False, False]
    cut = scores_of(item, reply, [PLOTREAD], stop_reason="max_tokens")
    assert set(cut.values()) == {0.0}


def test_outcomes() -> None:
    assert outcome_of("1") == "answered"
    assert outcome_of(" \n") == "empty"
    assert outcome_of("1", "model_length") == "truncated"
    assert outcome_of("", "content_filter") == "blocked"
    assert outcome_of("1", "stop") == "answered"
    assert outcome_of("1", "stop", failed=True) == "rejected"


def test_a_policy_that_asks_a_model_is_refused(grab: Small) -> None:
    with pytest.raises(PlotChainError, match=r"extracted\.yaml: a model reads the replies"):
        judge(grab.items[0], "1", [POLICIES / "grab" / "extracted.yaml"])


@pytest.mark.parametrize("tool", ["inspect_ai", "datasets", "mlcroissant"])
def test_no_export_loads_an_optional_tool(tool: str) -> None:
    modules = ("folders", "judge", "huggingface", "inspect_task", "vlmevalkit", "lmms_eval",
               "results", "from_inspect", "croissant")  # fmt: skip
    lines = [f"import plotchain_lib.exports.{name}" for name in modules]
    code = "\n".join(
        [*lines, "import plotchain_lib.plan, sys", f"sys.exit({tool!r} in sys.modules)"]
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_rules_name_no_optional_tool() -> None:
    root = Path(__file__).resolve().parents[2]
    files = [
        root / "Snakefile",
        *root.glob("workflow/rules/*.smk"),
        *root.glob("workflow/scripts/*"),
    ]
    for file in files:
        text = file.read_text() if file.is_file() else ""
        for tool in ("import datasets", "inspect_ai", "mlcroissant"):
            assert tool not in text, file
