"""PlotChain for Inspect: the items and pictures beside this file, judged as PlotChain does.

    inspect eval plotchain_task.py --model openai/gpt-4.1
    inspect eval plotchain_task.py -T policies=strict --epochs 3 --model ...
    inspect eval plotchain_task.py -T recorded=raw.jsonl --model none/none

It needs the packages `plotchain` and `inspect_ai`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessageUser,
    ContentImage,
    ContentText,
    GenerateConfig,
    ModelOutput,
    ModelUsage,
)
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, generate, solver

from plotchain_lib.exports.folders import answer_of
from plotchain_lib.exports.judge import scores_of
from plotchain_lib.files import read_items
from plotchain_lib.item import Item, PlotChainError, Request
from plotchain_lib.models import recorded as records

FOLDER = Path(__file__).resolve().parent
POLICIES: tuple[str, ...] = ("@POLICIES@",)  # the first one leads
NAME = "@NAME@"


@task
def plotchain(policies: str = "", recorded: str = "") -> Task:
    """Every item once.

    Args:
        policies: names of files in policies/, separated by commas; by default all of POLICIES.
        recorded: a JSON Lines file of recorded answers to replay in place of asking a model.
    """
    chosen = [name.strip() for name in policies.split(",")] if policies else list(POLICIES)
    if unknown := sorted(set(chosen) - set(POLICIES)):
        raise PlotChainError(f"no policy {unknown[0]!r} here; choose from {', '.join(POLICIES)}")
    items = read_items(FOLDER / "items.jsonl")
    return Task(
        name=f"plotchain-{NAME}",
        dataset=MemoryDataset([sample(item) for item in items], name=NAME),
        solver=replay(str(Path(recorded).resolve())) if recorded else generate(),
        scorer=verdicts(chosen),
        config=GenerateConfig(temperature=0, max_tokens=2048),
    )


def sample(item: Item) -> Sample:
    """One item: its prompt and its picture, and nothing else."""
    picture = ContentImage(image=str(FOLDER / str(item.picture)))
    content: list[Any] = [ContentText(text=item.prompt), picture]
    return Sample(
        id=item.id,
        input=[ChatMessageUser(content=content)],
        target=answer_of(item),
        metadata={"item": item.to_json(), "group": item.group, "difficulty": item.difficulty},
    )


@solver
def replay(path: str) -> Solver:
    """Recorded answers as the model's; the repeat is the epoch."""

    async def solve(state: TaskState, _generate: Generate) -> TaskState:
        item = Item.from_json(state.metadata["item"])
        material = records.material(Path(path), item) or {"records": {}}
        response = records.answer(
            Request("recorded", {}, item.prompt, (), None, state.epoch, material, item.id)
        )
        if response.outcome == "pending":
            raise PlotChainError(
                f"{item.id}: {response.reason} in {path}; record it or leave it out"
            )
        error = response.reason if response.outcome == "rejected" else None
        model = response.served_model or "recorded"
        state.output = ModelOutput.from_content(model, response.text, error=error)
        state.output.time = response.latency_s
        if response.input_tokens is not None or response.output_tokens is not None:
            state.output.usage = ModelUsage(
                input_tokens=response.input_tokens or 0, output_tokens=response.output_tokens or 0
            )
        return state

    return solve


@scorer(metrics={"*": [mean(), stderr()]})
def verdicts(policies: list[str]) -> Scorer:
    """Per policy whether all final fields pass, and the share of fields that do."""
    files = [FOLDER / "policies" / f"{name}.yaml" for name in policies]

    async def score(state: TaskState, target: Target) -> Score:
        item, output = Item.from_json(state.metadata["item"]), state.output
        reply = output.completion
        worth = scores_of(item, reply, files, str(output.stop_reason), bool(output.error))
        return Score(value={**worth}, answer=reply, explanation=f"right: {target.text}")

    return score
