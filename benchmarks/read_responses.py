"""Reading 78,000 responses into answers and scores: 10 models, 2,600 items, 3 repeats.

    python -m benchmarks.read_responses [--models 10] [--items 2600] [--repeats 3] [--jobs 2]
        [--policies plotread strict plotread-paper-parsing] [--folder FOLDER]

Writes plotchain items, and response files as the broker writes them with replies of many shapes.
Then runs the scripts of the rules `parse`, `score` and `run_facts` as the workflow does: each in a
process of its own, so many at once. Prints wall and CPU time of every stage, the most memory one of
its processes held, and a SHA-256 over all tables. With --folder the responses are kept and used
again.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.reply_shapes import SHAPES, reply
from plotchain_lib import suites
from plotchain_lib.files import read_items, write_items
from plotchain_lib.item import Item, Request, Response
from plotchain_lib.policy import load_policy
from plotchain_lib.query.cache import canonical, entry_of

ROOT = Path(__file__).resolve().parents[1]
POLICIES = ("plotread", "strict", "plotread-paper-parsing")
SUITE = "plotchain"
# What Snakemake puts before an adapter's code: the `snakemake` object.
RUN = """\
import json, runpy, sys
from pathlib import Path
from types import SimpleNamespace
told = json.loads(Path(sys.argv[2]).read_text())
parts = {name: SimpleNamespace(**part) for name, part in told["named"].items()}
runpy.run_path(sys.argv[1], {"snakemake": SimpleNamespace(log=told["log"], **parts)})
"""


class Job(NamedTuple):
    """One job of the workflow: its script, what its `snakemake` object holds, what it makes."""

    script: str
    named: dict[str, dict[str, Any]]
    makes: Path


class Cost(NamedTuple):
    """What one process cost: CPU in seconds, the most memory it held in bytes."""

    cpu_s: float
    memory: int


def make_items(count: int) -> list[Item]:
    """So many items, the families in equal parts as far as that goes."""
    suite = suites.load(SUITE)
    families = suite.shards()
    whole, more = divmod(count, len(families))
    sizes = {family: whole + (n < more) for n, family in enumerate(families)}
    return [item for family, size in sizes.items() for item in suite.items(family, 0, size, {})]


def write_responses(folder: Path, items: Sequence[Item], model: str, repeats: int) -> None:
    """One model's response files, as `plotchain_lib.query.asker` makes them."""
    folder.mkdir(parents=True)
    settings = {"kind": "openai", "model": model, "temperature": 0, "max_output_tokens": 2000}
    for item in items:
        names = tuple(field.name for field in item.fields)
        for repeat in range(1, repeats + 1):
            request = Request("openai", settings, item.prompt, names, item.id.encode(), repeat)
            draws = random.Random(f"{model} {item.id} {repeat}")
            outcome, text = reply(item, draws)
            tokens = len(text) // 4
            response = Response(
                outcome, text, "" if outcome == "answered" else "the provider's reason",
                1.5 + tokens / 90, 1100, tokens, 0.0022 + 8e-6 * tokens, model,
                {"url": "https://api.example/v1/responses", "decoding": {"temperature": 0}},
                {"id": f"resp_{item.id}_{repeat}", "usage": {"input_tokens": 1100}},
            )  # fmt: skip
            key = hashlib.sha256(f"{model}{item.id}{repeat}".encode()).hexdigest()
            entry = entry_of(request, response, key, "2026-01-01T00:00:00.000Z")
            call = {"dataset": "wide", "model": model, "item": item.id, "repeat": repeat}
            path = folder / f"{item.id}.{repeat}.json"
            path.write_bytes(canonical({**entry, **call}) + b"\n")


def write_set(folder: Path, models: Sequence[str], count: int, repeats: int) -> None:
    """Items and responses, whole or not at all; what is there is kept."""
    if (folder / "done").exists():
        return
    items = make_items(count)
    for shard in dict.fromkeys(item.shard for item in items):
        own = [item for item in items if item.shard == shard]
        write_items(folder / "items" / f"{shard}.jsonl", own)
    for model in models:
        write_responses(folder / "responses" / model, items, model, repeats)
    (folder / "done").touch()


def policy_files(policy: str) -> list[str]:
    """The policy's file, as its rule names it."""
    return [str(ROOT / "config" / "policies" / SUITE / f"{policy}.yaml")]


def parse_jobs(folder: Path, policies: Sequence[str], models: Sequence[str]) -> Iterator[Job]:
    """One a model and parsing."""
    item_files = sorted(map(str, (folder / "items").iterdir()))
    asked = [item.id for path in item_files for item in read_items(Path(path))]
    for parsing in dict.fromkeys(map(parsing_of, policies)):
        for model in models:
            responses = folder / "responses" / model
            repeats = range(1, 1 + len(list(responses.iterdir())) // len(asked))
            files = [str(responses / f"{item}.{n}.json") for item in asked for n in repeats]
            makes = answers_path(folder, parsing, model)
            named: dict[str, dict[str, Any]] = {
                "input": {"item_files": item_files, "responses": files, "drawn": []},
                "output": {"answers": str(makes)},
                "params": {"suite": SUITE},
                "wildcards": {"parsing": parsing},
            }
            yield Job("parse", named, makes)


def parsing_of(policy: str) -> str:
    """How replies are read under a policy."""
    return load_policy(Path(policy_files(policy)[0])).parsing


def answers_path(folder: Path, parsing: str, model: str) -> Path:
    """Where one model's answers are."""
    return folder / "answers" / parsing / f"{model}.parquet"


def score_jobs(folder: Path, policies: Sequence[str], models: Sequence[str]) -> Iterator[Job]:
    """One a policy."""
    for policy in policies:
        answers = [str(answers_path(folder, parsing_of(policy), model)) for model in models]
        makes = folder / "scores" / f"{policy}.parquet"
        named: dict[str, dict[str, Any]] = {
            "input": {
                "item_files": sorted(map(str, (folder / "items").iterdir())),
                "answers": answers,
                "policy": policy_files(policy),
            },
            "output": {"scores": str(makes)},
            "params": {"suite": SUITE},
        }
        yield Job("score", named, makes)


def facts_job(folder: Path) -> Job:
    """The job that reads all responses for ``run.json``."""
    files = sorted(map(str, (folder / "responses").glob("*/*.json")))
    makes = folder / "run.json"
    named: dict[str, dict[str, Any]] = {
        "input": {"responses": files, "extractions": []},
        "output": {"run": str(makes)},
    }
    return Job("run_facts", named, makes)


def run(jobs: Iterable[Job], at_once: int) -> list[Cost]:
    """Run the jobs' scripts, so many at once; raises SystemExit where one fails."""
    running, costs = set[int](), list[Cost]()
    with tempfile.TemporaryDirectory() as folder:
        waiting = list(enumerate(jobs))[::-1]
        while waiting or running:
            while waiting and len(running) < at_once:
                number, job = waiting.pop()
                told = Path(folder, f"{number}.json")
                told.write_text(json.dumps({"named": job.named, "log": [f"{told}.log"]}))
                script = str(ROOT / "workflow" / "scripts" / f"{job.script}.py")
                command = [sys.executable, "-c", RUN, script, str(told)]
                paths = {"PYTHONPATH": str(ROOT)}
                running.add(os.posix_spawn(sys.executable, command, os.environ | paths))
            process, status, usage = os.wait3(0)
            running.remove(process)
            if status:
                raise SystemExit("a job failed")
            costs.append(Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024))
    return costs


def measured(name: str, jobs: Sequence[Job], at_once: int) -> tuple[float, float, int]:
    """Run a stage and print its wall seconds, CPU seconds and largest process."""
    started = time.perf_counter()
    costs = run(jobs, at_once)
    wall = time.perf_counter() - started
    cpu, memory = sum(cost.cpu_s for cost in costs), max(cost.memory for cost in costs)
    print(
        f"{name:10} {len(jobs):3} jobs, {at_once} at once: {wall:6.1f} s wall, {cpu:6.1f} s CPU, "
        f"largest process {memory / 1e6:5.0f} MB",
        flush=True,
    )
    return wall, cpu, memory


def digest_of(paths: Iterable[Path]) -> str:
    """SHA-256 over the files' bytes."""
    digest = hashlib.sha256()
    for path in paths:
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def report(folder: Path, options: argparse.Namespace) -> None:
    """Write what is read, read it, print what it cost."""
    models = [f"model-{n:02d}" for n in range(options.models)]
    write_set(folder, models, options.items, options.repeats)
    load = ", ".join(f"{value:.2f}" for value in os.getloadavg())
    total = options.models * options.items * options.repeats
    print(f"{total} responses of {len(SHAPES)} shapes; load {load} on {os.cpu_count()} cores")
    parsing = list(parse_jobs(folder, options.policies, models))
    scoring = list(score_jobs(folder, options.policies, models))
    parsed = measured("parse", parsing, options.jobs)
    scored = measured("score", scoring, options.jobs)
    walls, cpus, memories = zip(parsed, scored, strict=True)
    print(
        f"answers and scores: {sum(walls):.1f} s wall, {sum(cpus):.1f} s CPU, largest process "
        f"{max(memories) / 1e6:.0f} MB"
    )
    measured("run_facts", [facts_job(folder)], 1)
    tables = [job.makes for job in (*parsing, *scoring, facts_job(folder))]
    print(f"SHA-256 over {len(tables)} tables: {digest_of(tables)}")


def main() -> None:
    """Read the options."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name, default in (("models", 10), ("items", 2600), ("repeats", 3), ("jobs", 2)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--policies", nargs="+", default=POLICIES)
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    if options.folder:
        report(options.folder, options)
        return
    with tempfile.TemporaryDirectory() as folder:
        report(Path(folder), options)


if __name__ == "__main__":
    main()
