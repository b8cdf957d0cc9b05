"""Attempts of a model of the configuration at tasks of the figure suite, for the gates.

Composes what may not know each other: the suite's items and player, and who asks.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import yaml

from plotchain_lib import configuration, query
from plotchain_lib.files import write_items, write_json
from plotchain_lib.item import Field, Item, PlotChainError
from plotchain_lib.plan import Plan
from plotchain_lib.suites.matplotgym.player import PLAYER
from plotchain_lib.suites.matplotgym.prompt import prompt_text
from plotchain_lib.suites.matplotgym.task import Task
from plotchain_lib.suites.matplotgym.told import decisions_text
from plotchain_lib.suites.matplotgym.workspace import digest, files_of

FOLDER = Path("results/gates")
SCHEMA = Path(__file__).resolve().parents[1] / "workflow/schemas/config.schema.yaml"
TOLD = """
# What the reference figure decides

You are told the decisions of the reference figure. Find the rows and the statistics in the data \
that give these values, and draw the figure so.

"""


class Desk:
    """Asks one model; answers lie in the cache of the configuration, what was asked in FOLDER."""

    def __init__(self, config: Path, label: str, *, direct: bool, unsealed: bool) -> None:
        """Raises PlotChainError where the configuration is wrong or has no such model."""
        try:
            settings = yaml.safe_load(config.read_text(encoding="utf-8"))
            schema = yaml.safe_load(SCHEMA.read_text(encoding="utf-8"))
        except (OSError, yaml.YAMLError) as error:
            raise PlotChainError(f"{config}: {' '.join(str(error).split())}") from error
        configuration.check(settings, schema, str(config))
        models = Plan(settings, str(config), config.parent / "policies").models
        if label not in models:
            raise PlotChainError(f"{config}: no model {label!r}; known are {', '.join(models)}")
        self._model, self._direct = models[label], direct
        self._options = {"unsealed": True} if unsealed else {}
        self._cache = Path(settings.get("cache", ".plotchain/cache"))
        limits = {name: dict(model.limits) for name, model in models.items()}
        write_json(query.limits_path(self._cache, Path.cwd()), limits)

    def scripts(
        self, task: Task, spec: Mapping[str, Any], informed: bool, attempts: int
    ) -> list[str | None]:
        """What the model submits: told the decisions, once; else so many times on its own.

        Raises PlotChainError where it could not be asked now; what was answered is kept.
        """
        name = "informed" if informed else "spread"
        items = FOLDER / name / f"{task.id}.jsonl"
        write_items(items, [item_of(task, spec if informed else None)])
        repeats = range(1, 2 if informed else attempts + 1)
        # Without a broker, nothing but their order keeps several within the model's limits.
        with ThreadPoolExecutor(1 if self._direct else attempts) as pool:
            asked = pool.map(lambda repeat: self._asked(items, task.id, repeat), repeats)
            return [json.loads(response["text"])["submission"] for response in asked]

    def _asked(self, items: Path, item: str, repeat: int) -> dict[str, Any]:
        out = items.parent / self._model.label / f"{item}.{repeat}.json"
        out.parent.mkdir(parents=True, exist_ok=True)
        call = query.call_text(
            dataset="gates", model=self._model.label, item=item, repeat=repeat, items=str(items),
            settings=self._model.settings, player=PLAYER, options=self._options,
        )  # fmt: skip
        variables = {**os.environ, **query.environment(self._cache)}
        command = [sys.executable, "-I", "-S", variables["PLOTCHAIN_CLIENT"], str(out), call]
        if self._direct:
            command = [sys.executable, "-m", "plotchain_lib.query", "--direct", str(out), call]
        done = subprocess.run(command, env=variables, capture_output=True, text=True)
        if done.returncode:
            raise PlotChainError(" ".join(done.stderr.split()) or f"{item}: not asked")
        response: dict[str, Any] = json.loads(out.read_bytes())
        if response["outcome"] != "answered":
            raise PlotChainError(f"{item}.{repeat}: {response['outcome']}: {response['reason']}")
        return response


def item_of(task: Task, told: Mapping[str, Any] | None) -> Item:
    """A task as an item, and where `told` is a spec, with its decisions in the prompt."""
    files = files_of(task.workspace)
    prompt = prompt_text(task.claim, files)
    if told is not None:
        prompt += TOLD + decisions_text(told) + "\n"
    fields = tuple(Field(name, "", "a decision", "final") for name in task.decisions)
    params = {"task": task.id, "workspace_sha256": digest(files)}
    truth = dict.fromkeys(task.decisions, 1.0)
    group = task.discipline
    return Item(
        task.id, "matplotgym", group, group, prompt, None, fields, truth, params, None, "clean"
    )
