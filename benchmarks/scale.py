"""How a run grows: planning, asking and doing nothing again, from 1,000 jobs to 78,000.

    python benchmarks/scale.py [--run 10x100 10x500 10x1000 26x1000] [--plan 26x3000] [--cores 4]

A size is models × items. Each `--run` size is drawn first, unmeasured; then the real workflow plans
it (a dry run), asks every model about every item, is killed halfway and finished by the same
command, and is started once more with nothing to do. The model sees the picture and answers at
once. Counted is the processor time, user and system, of Snakemake with its start, of every client
and of the broker; the memory is the largest process's.

Each `--plan` size is planned from nothing. Then its files are laid down without asking: items by
the workflow, pictures as one small PNG, responses as the broker writes them; `snakemake --touch`
records them as made (without the tenth of a second that it rests after each file), and the
workflow is started with nothing to do.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "workflow")]
os.environ["PLOTCHAIN_MODELS"] = str(ROOT / "benchmarks" / "models")

from clone import Workspace, new_workspace  # noqa: E402

from plotchain_lib import models as kinds  # noqa: E402
from plotchain_lib.files import read_items  # noqa: E402
from plotchain_lib.item import Request  # noqa: E402
from plotchain_lib.query import environment  # noqa: E402
from plotchain_lib.query.broker import status  # noqa: E402
from plotchain_lib.query.cache import canonical, entry_of  # noqa: E402

FAMILIES = (
    "bandpass_response", "bode_magnitude", "bode_phase", "fft_spectrum", "iv_diode", "iv_resistor",
    "pump_curve", "sn_curve", "step_response", "stress_strain",
)  # fmt: skip
ALL_RESPONSES = "results/large/run.json"
SNAKEMAKE = ("-m", "snakemake")
TOUCH = (
    "-c",
    "from snakemake.cli import main; from snakemake.executors.touch import Executor; "
    "Executor.SLEEPING_TIME = 0; main()",
    "--touch",
)
DOT = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de"
    "0000000c49444154789c63f8ffff3f0005fe02fe0def46b80000000049454e44ae426082"
)


@dataclass(frozen=True, slots=True)
class Cost:
    """What one start of Snakemake took: s of processor and wall, and MB of its largest process."""

    cpu_s: float
    wall_s: float
    memory_mb: float
    ended: bool = True

    def __add__(self, other: Cost) -> Cost:
        """Two starts, one after the other."""
        memory = max(self.memory_mb, other.memory_mb)
        return Cost(self.cpu_s + other.cpu_s, self.wall_s + other.wall_s, memory)

    def text(self) -> str:
        """As one column."""
        return f"{self.cpu_s:7.1f} {self.wall_s:7.1f} {self.memory_mb:6.0f}"


def configuration(models: int, items: int) -> dict[str, Any]:
    """`models` guessers, each asked once about `items` items of ten families."""
    return {
        "datasets": {"large": {"suite": "plotchain", "seed": 0, "families": list(FAMILIES),
                               "items_per_family": items // len(FAMILIES)}},
        "models": {f"guesser-{n:02d}": {"kind": "guesser", "number": n} for n in range(models)},
        "suites": {"plotchain": {"policies": ["plotread"], "repeats": 1}},
        "significance": {"alpha": 0.05, "resamples": 200, "seed": 0},
        "limit": None,
    }  # fmt: skip


def snakemake(
    workspace: Workspace,
    *arguments: str,
    until: Callable[[], bool] | None = None,
    program: Sequence[str] = SNAKEMAKE,
) -> Cost:
    """Start it as a user does and wait; SIGKILL as soon as `until` holds."""
    log = (workspace.folder / "snakemake.log").open("ab")
    started = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, *program, *arguments], cwd=workspace.folder, stdout=log,
        stderr=log, start_new_session=True, env=os.environ | {"PLOTCHAIN_IDLE_S": "1800"},
    )  # fmt: skip
    pid = 0
    while not pid:
        pid, code, usage = os.wait4(process.pid, os.WNOHANG if until else 0)
        if not pid and until:
            time.sleep(0.5)
            if until():
                os.killpg(process.pid, signal.SIGKILL)
                until = None
    process.returncode = os.waitstatus_to_exitcode(code)
    if process.returncode not in (0, -signal.SIGKILL):
        raise SystemExit(f"{arguments}: exit code {process.returncode}; see {log.name}")
    return Cost(
        usage.ru_utime + usage.ru_stime, time.monotonic() - started, usage.ru_maxrss / 1024,
        process.returncode == 0,
    )  # fmt: skip


def broker_s(workspace: Workspace, leave: bool = False) -> float:
    """The processor time of the workspace's broker so far, and then its end if asked for."""
    socket = Path(environment(workspace.folder / ".plotchain/cache")["PLOTCHAIN_SOCKET"])
    answer = status(socket)
    if answer is None:
        raise SystemExit("the broker left before it was asked")
    if leave:
        os.kill(int(str(answer["pid"])), signal.SIGTERM)
        while status(socket) is not None:
            time.sleep(0.05)
    return float(str(answer["cpu_s"]))


def asked_again(workspace: Workspace) -> tuple[int, int]:
    """How many calls were started, and how many of them after their answer was stored."""
    stored: set[str] = set()
    asked = again = 0
    for entry in workspace.journal():
        asked += entry["event"] == "asked"
        again += entry["event"] == "asked" and entry["key"] in stored
        if entry["event"] == "stored":
            stored.add(entry["key"])
    return asked, again


def run_size(folder: Path, models: int, items: int, cores: int) -> None:
    """One size for real; prints its lines."""
    jobs = models * items
    workspace = new_workspace(folder, configuration(models, items))
    drawn = [f"results/large/images/{family}.geometry.json" for family in FAMILIES]
    snakemake(workspace, "--cores", str(os.cpu_count()), "results/large/floor.json", *drawn)
    plan = snakemake(workspace, "--dry-run", "--quiet", "all", "--", ALL_RESPONSES)
    journal = workspace.folder / ".plotchain/cache/journal.jsonl"

    def halfway() -> bool:
        # A call leaves two lines of some 160 bytes.
        return journal.exists() and journal.stat().st_size > jobs * 160

    command = ("--cores", str(cores), "--quiet", "all", "--", ALL_RESPONSES)
    first = snakemake(workspace, *command, until=halfway)
    kept = sum(1 for _ in (workspace.folder / "results/large/responses").rglob("*.json"))
    if not first.ended:
        snakemake(workspace, "--unlock", "--quiet", "all")
    second = snakemake(workspace, *command)
    broker = broker_s(workspace, leave=True)
    whole = first + second
    asked, again = asked_again(workspace)
    noop = snakemake(workspace, *command)
    each = 1000 * (whole.cpu_s + broker) / jobs
    print(
        f"{jobs:6d} run   {plan.text()} | {whole.text()} {broker:7.1f} {each:6.1f} | {noop.text()}"
        f" | killed at {kept}, {asked} asked, {again} again",
        flush=True,
    )


def say(line: str) -> None:
    """One line, at once."""
    print(line, flush=True)


def lay_down(workspace: Workspace, models: int) -> None:
    """Every picture and response, as if made."""
    results, guesser = workspace.folder / "results/large", kinds.load("guesser")
    for path in sorted((results / "items").glob("*.jsonl")):
        items = read_items(path)
        for item in items:
            picture = results / "images" / path.stem / f"{item.id}.png"
            picture.parent.mkdir(parents=True, exist_ok=True)
            picture.write_bytes(DOT)
        (results / "images" / f"{path.stem}.geometry.json").write_text("{}\n")
        for number in range(models):
            label = f"guesser-{number:02d}"
            folder = results / "responses" / label
            folder.mkdir(parents=True, exist_ok=True)
            for item in items:
                fields = tuple(field.name for field in item.fields)
                settings = {"kind": "guesser", "number": number}
                request = Request("guesser", settings, item.prompt, fields, DOT, 1)
                answer = entry_of(request, guesser.answer(request), "0" * 64, "2026-01-01T00:00Z")
                about = {"dataset": "large", "model": label, "item": item.id, "repeat": 1}
                (folder / f"{item.id}.1.json").write_bytes(canonical({**answer, **about}) + b"\n")


def plan_size(folder: Path, models: int, items: int) -> None:
    """One size planned and found done; prints its line."""
    workspace = new_workspace(folder, configuration(models, items))
    plan = snakemake(workspace, "--dry-run", "--quiet", "all", "--", ALL_RESPONSES)
    say(f"{models * items:6d} plan  {plan.text()} | planned from nothing")
    snakemake(workspace, "--cores", str(os.cpu_count()), "results/large/floor.json")
    lay_down(workspace, models)
    (workspace.folder / ALL_RESPONSES).write_text('{"models": {}}\n')
    # Many cores: Snakemake looks at every job that is ready each time it starts a few.
    command = ("--cores", "64", "--quiet", "all", "--", ALL_RESPONSES)
    touch = snakemake(workspace, "--forceall", *command, program=TOUCH)
    noop = snakemake(workspace, *command)
    records = sum(
        1 for path in (workspace.folder / ".snakemake/metadata").rglob("*") if path.is_file()
    )
    print(
        f"{models * items:6d} plan  {plan.text()} |{'':39s}| {noop.text()}"
        f" | {records} records, made in {touch.cpu_s:.0f} s of CPU",
        flush=True,
    )


def sizes(text: str) -> tuple[int, int]:
    """Models and items of ``26x1000``."""
    models, _, items = text.partition("x")
    if int(items) % len(FAMILIES):
        raise argparse.ArgumentTypeError(f"{text}: items must be a multiple of {len(FAMILIES)}")
    return int(models), int(items)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print a line a size."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    default = [(10, 100), (10, 500), (10, 1000), (26, 1000)]
    parser.add_argument("--run", type=sizes, nargs="*", default=default)
    parser.add_argument("--plan", type=sizes, nargs="*", default=[(26, 3000)])
    parser.add_argument("--cores", type=int, default=4)
    parser.add_argument("--keep", type=Path, help="where the workspaces stay, to look at them")
    options = parser.parse_args(arguments)
    print(f"load {os.getloadavg()[0]:.1f} before; CPU s, wall s, MB")
    print("  jobs          planned             | asked                     broker ms/job"
          " | nothing to do           |")  # fmt: skip
    with tempfile.TemporaryDirectory() as temporary:
        base = options.keep or Path(temporary)
        for models, items in options.run:
            run_size(base / f"run-{models}x{items}", models, items, options.cores)
        for models, items in options.plan:
            plan_size(base / f"plan-{models}x{items}", models, items)
    print(f"load {os.getloadavg()[0]:.1f} after")


if __name__ == "__main__":
    main()
