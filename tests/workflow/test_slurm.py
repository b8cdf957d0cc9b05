"""The small run through a real SLURM, and what it must have in common with the local one."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections import Counter
from importlib.util import find_spec
from pathlib import Path

import pytest
from clone import Workspace, new_workspace

SUBMITTED = re.compile(r"submitted with SLURM jobid \d+ \(log: \S*/slurm_logs/([a-z]+_[a-z_]+)/")


def why_not() -> str:
    """Why no job can be submitted here; empty where one can."""
    if shutil.which("sbatch") is None:
        return "SLURM is not installed: there is no sbatch"
    idle = subprocess.run(["sinfo", "--noheader", "--states", "idle,mixed", "--format", "%D"],
                          capture_output=True, text=True, check=False)  # fmt: skip
    if idle.returncode != 0 or not idle.stdout.strip():
        return f"SLURM is not running, or has no free node: {idle.stderr.strip() or 'sinfo'}"
    if find_spec("snakemake_executor_plugin_slurm") is None:
        return "the extra 'slurm' is not installed: pip install -r requirements-slurm.lock"
    return ""


REASON = why_not()
pytestmark = [pytest.mark.long, pytest.mark.skipif(bool(REASON), reason=REASON)]


def run(workspace: Workspace, *arguments: str) -> Counter[str]:
    """Run through the profile; how many jobs of each kind SLURM was given."""
    # SLURM is asked every ten seconds, and less often while nothing ends.
    ended = workspace.run("--profile", "profiles/slurm", *arguments, timeout_s=1200)
    return Counter(SUBMITTED.findall(ended.stdout + ended.stderr))


def brokers(workspace: Workspace) -> list[str]:
    """The sockets that brokers of this workspace's cache have served."""
    log = (workspace.folder / ".plotchain/cache/broker.log").read_text()
    return re.findall(r" serves (\S+)", log)


def test_a_run_through_slurm_gives_the_tables_of_the_local_run(
    built: Workspace, tmp_path: Path
) -> None:
    workspace = new_workspace(tmp_path / "clone")
    jobs = run(workspace)
    assert jobs["rule_generate"] == jobs["rule_render_small"] == jobs["rule_parse"] == 2
    assert jobs["rule_score"] == jobs["rule_significance"] == 2
    assert jobs["rule_figures"] == jobs["rule_report"] == 1
    assert not any("query" in name for name in jobs)
    assert workspace.tables() == built.tables()
    assert workspace.planned() == {}


def test_calls_sent_out_have_a_broker_in_each_job_and_the_same_answers(
    built: Workspace, tmp_path: Path
) -> None:
    workspace = new_workspace(tmp_path / "clone")
    answers = [f"results/small/answers/tolerant/{model}.parquet" for model in ("blind", "replay")]
    jobs = run(
        workspace, "--cores", "1", "--groups", "query=calls", "--group-components", "calls=3",
        "--", *answers,
    )  # fmt: skip
    assert jobs["group_calls_query"] == 3  # 8 calls, at most three a job
    for path in answers:
        assert (workspace.folder / path).read_bytes() == (built.folder / path).read_bytes()
    served = brokers(workspace)
    assert len(served) == len(set(served)) == 3
    assert not any(Path(socket).parent.exists() for socket in served)
    own = Path(f"/tmp/plotchain-{os.getuid()}")
    assert own not in {Path(socket).parent for socket in served}
