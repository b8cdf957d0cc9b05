"""What a configuration means: datasets, shards, items, models, and the files between the stages.

Pure functions of the configuration's slices and of the folders it names; the rules ask here for
their inputs, so that no rule and no script has to know the whole configuration.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from plotchain_lib import suites
from plotchain_lib.dataset_entries import read_dataset
from plotchain_lib.item import PlotChainError
from plotchain_lib.model_entries import Model, Money, check_budget, known, read_model
from plotchain_lib.models import can_answer
from plotchain_lib.policy import load_policy, policy_files
from plotchain_lib.prices import load_prices

BASELINES = ("reader", "blind", "reference", "lazy")
# Folders and files of results/ that belong to all datasets.
RESERVED = (
    "figures", "tables", "logs", "report.html", "report_bundle.zip", "numbers.json", "tries.json",
    "exports",
)  # fmt: skip
# Kinds that answer from what generate prepared for them.
ANSWER_FROM_FLOOR = ("blind", "reference", "lazy", "degraded")
PRICES = "config/prices.yaml"
MOST_WHOLE_PICTURES = 600  # in one report; more would make the page too heavy


class Plan:
    """Everything the rules ask about a configuration that passed the schema."""

    def __init__(self, config: Mapping[str, Any], source: str, policies: Path) -> None:
        """Read what the configuration names. `source` is its file, for messages.

        Raises PlotChainError for an unknown family, kind, dataset or policy, and for a missing
        or broken file, before any job starts.
        """
        self._config, self._source, self._policies = config, source, policies
        self._check_values()
        self.datasets = {
            name: read_dataset(name, entry, f"{source}: datasets.{name}")
            for name, entry in config["datasets"].items()
        }
        self._players = {name: suites.player(d.suite) for name, d in self.datasets.items()}
        self._shown: dict[tuple[str, str], bool] = {}
        money = self._money()
        self.models = {
            label: read_model(label, entry, f"{source}: models.{label}", self.datasets, money)
            for label, entry in config["models"].items()
        }
        self._check_kinds()
        self._parsings: dict[tuple[str, str], str] = {}
        self._extractors: dict[tuple[str, str], str] = {}
        self._policy_files: dict[tuple[str, str], list[str]] = {}
        for suite in self.suites_used:
            if suite not in config["suites"]:
                raise PlotChainError(f"{source}: suites.{suite} is missing; list its policies")
            for policy in self.policies(suite):
                path = self._policy_path(suite, policy)
                loaded = load_policy(path)
                for family in dict.fromkeys(family for family, _ in loaded.tolerances):
                    known(family, self._families(suite), "family", f"{path}: rows")
                self._parsings[suite, policy] = loaded.parsing
                if label := loaded.extractor:
                    known(label, self.models, "model", f"{path}: extractor")
                    self._extractors[suite, policy] = label
                    self._parsings[suite, policy] = f"by-{label}"
                self._policy_files[suite, policy] = [str(file) for file in policy_files(path)]

    def _families(self, suite: str) -> set[str]:
        """Every family a policy of this suite may name: ours and the releases'."""
        released = (shard for d in self.datasets.values() if d.suite == suite for shard in d.shards)
        return {*suites.load(suite).shards(), *released}

    def _check_values(self) -> None:
        """What a schema cannot say."""
        for name in self._config["datasets"]:
            if name in RESERVED:
                raise PlotChainError(
                    f"{self._source}: datasets.{name}: the name is taken; choose another"
                )
        alpha = self._config.get("significance", {}).get("alpha", 0.05)
        if not 0 < alpha < 1:
            raise PlotChainError(
                f"{self._source}: significance.alpha: {alpha} is not between 0 and 1; give 0.05"
            )

    def _check_kinds(self) -> None:
        """Raise where a model is named for a dataset whose items its kind cannot answer."""
        for model in self.models.values():
            for dataset in model.datasets or ():
                sort = "episode" if self.player(dataset) else "question"
                if not can_answer(model.kind, sort):
                    raise PlotChainError(
                        f"{self._source}: models.{model.label}.datasets: kind {model.kind} cannot "
                        f"answer the {sort}s of {dataset}; remove it from the list"
                    )

    def _money(self) -> Money:
        """Prices, parameters and the whole budget."""
        named = self._config.get("prices")
        path = Path(named or PRICES)
        try:
            check_budget(self._config.get("budget_usd"))
        except PlotChainError as error:
            raise PlotChainError(f"{self._source}: {error}") from error
        return Money(
            load_prices(path) if named or path.is_file() else (),
            str(path),
            self._config.get("parameters", ()),
            self._config.get("budget_usd"),
        )

    @property
    def suites_used(self) -> list[str]:
        """The suites of all datasets, each once."""
        return list(dict.fromkeys(dataset.suite for dataset in self.datasets.values()))

    def items(self, dataset: str, shard: str) -> tuple[str, ...]:
        """The items of a shard that are asked: all, or the first `limit`."""
        return self.datasets[dataset].shards[shard][: self.limit]

    def models_of(self, dataset: str) -> list[Model]:
        """The models that are asked about a dataset, in the configuration's order.

        Those that are named for it; of the others all whose kind can answer its items.
        """
        sort = "episode" if self.player(dataset) else "question"
        asked = [
            model
            for model in self.models.values()
            if (dataset in model.datasets if model.datasets else can_answer(model.kind, sort))
        ]
        return [m for m in asked if m.label not in self._extractors.values()]

    def player(self, dataset: str) -> str:
        """What plays a dataset's items, where they are episodes; empty where they are questions."""
        return self._players[dataset]

    def player_options(self, dataset: str) -> dict[str, Any]:
        """What a dataset's episodes are played under."""
        if not self.player(dataset):
            return {}
        suite = self.datasets[dataset].suite
        return suites.player_options(suite, self._config["suites"][suite])

    def shows_picture(self, dataset: str, model: str) -> bool:
        """Whether a model is given the picture of a dataset's items; in an episode it has none."""
        key = dataset, model
        if key not in self._shown:  # every query job asks
            self._shown[key] = self.models[model].sees_picture and not self.player(dataset)
        return self._shown[key]

    def extractors(self, dataset: str) -> dict[str, str]:
        """Policy to the label of the model that copies answers out of replies for it."""
        suite = self.datasets[dataset].suite
        return {policy: label for (s, policy), label in self._extractors.items() if s == suite}

    def extractions(self, dataset: str, extractor: str, model: str) -> list[str]:
        """What an extractor made of each response of a model, in the order of `responses`."""
        start = f"results/{dataset}/responses/"
        return [
            f"{start}{extractor}@{path.removeprefix(start)}"
            for path in self.responses(dataset, model)
        ]

    def label_of(self, dataset: str, kind: str) -> str:
        """The first model of a kind that is asked about a dataset; empty where there is none."""
        return next((m.label for m in self.models_of(dataset) if m.kind == kind), "")

    @property
    def baselines(self) -> list[str]:
        """The labels of the models that are baselines."""
        return [m.label for m in self.models.values() if m.kind in BASELINES]

    def repeats(self, dataset: str) -> int:
        """How often each item is asked."""
        suite = self.datasets[dataset].suite
        return int(self._config["suites"][suite].get("repeats", suites.repeats(suite)))

    def responses(self, dataset: str, model: str) -> list[str]:
        """The response files of one model, by shard, item and repeat."""
        return [
            f"results/{dataset}/responses/{model}/{item}.{repeat}.json"
            for shard in self.datasets[dataset].shards
            for item in self.items(dataset, shard)
            for repeat in range(1, self.repeats(dataset) + 1)
        ]

    def item_files(self, dataset: str) -> list[str]:
        """The shard files of a dataset."""
        return [f"results/{dataset}/items/{s}.jsonl" for s in self.datasets[dataset].shards]

    def floor_files(self, dataset: str) -> list[str]:
        """The blind constants of a dataset's shards."""
        return [f"results/{dataset}/floor/{s}.json" for s in self.datasets[dataset].shards]

    def pictures(self, dataset: str, shard: str) -> list[str]:
        """The generated pictures of a shard; none for a release, whose pictures stay in place."""
        entry = self.datasets[dataset]
        if entry.release:
            return []
        return [f"results/{dataset}/images/{shard}/{item}.png" for item in entry.shards[shard]]

    def picture(self, dataset: str, item: str) -> str:
        """Where an item's picture lies or would lie."""
        entry = self.datasets[dataset]
        shard = entry.shard_of[item]
        if entry.release:
            return f"{entry.release}/{suites.release_format(entry.suite).picture(shard, item)}"
        return f"results/{dataset}/images/{shard}/{item}.png"

    def release_file(self, dataset: str) -> str:
        """The file that holds a release's items."""
        entry = self.datasets[dataset]
        return f"{entry.release}/{suites.release_format(entry.suite).ITEMS_FILE}"

    def first_words(self) -> list[str]:
        """What is asked beside the items, and of which items pictures are missing."""
        lines = [
            f"plotchain: policy {policy} of {suite} asks the model {label} once for every reply"
            for (suite, policy), label in self._extractors.items()
        ]
        for name, entry in self.datasets.items():
            items = list(entry.shard_of) if entry.release else []
            unseen = sum(not Path(self.picture(name, item)).is_file() for item in items)
            if unseen:
                lines.append(
                    f"plotchain: {name}: {unseen:,} of {len(items):,} pictures are missing; on "
                    "these items only models that do not look, such as blind, can answer"
                )
        return lines

    @property
    def reduced_pictures(self) -> bool:
        """Whether the report holds so many items that their pictures must be reduced."""
        shown = (self.items(name, shard) for name, d in self.datasets.items() for shard in d.shards)
        return sum(map(len, shown)) > MOST_WHOLE_PICTURES

    def source(self, dataset: str, model: str) -> str:
        """The file a local model answers from; empty where it needs none."""
        entry = self.models[model]
        if entry.kind in ANSWER_FROM_FLOOR:
            return f"results/{dataset}/floor.json"
        return entry.file or ""

    def policies(self, suite: str) -> list[str]:
        """The policies a suite's datasets are judged under, the headline first."""
        return list(self._config["suites"][suite]["policies"])

    def _policy_path(self, suite: str, policy: str) -> Path:
        """A policy's file. Raises PlotChainError where it is missing."""
        path = self._policies / suite / f"{policy}.yaml"
        if not path.is_file():
            raise PlotChainError(
                f"{self._source}: suites.{suite}.policies: no file {path}; add it or correct the "
                "name"
            )
        return path

    def policy_files(self, suite: str, policy: str) -> list[str]:
        """A policy's file and those it extends."""
        return self._policy_files[suite, policy]

    def parsing(self, suite: str, policy: str) -> str:
        """How replies are read under a policy."""
        return self._parsings[suite, policy]

    def answers(self, dataset: str, policy: str) -> list[str]:
        """The answer tables a policy judges, one a model."""
        parsing = self.parsing(self.datasets[dataset].suite, policy)
        models = self.models_of(dataset)
        return [f"results/{dataset}/answers/{parsing}/{model.label}.parquet" for model in models]

    @property
    def limit(self) -> int | None:
        """How many items of each shard are asked; None for all."""
        limit = self._config.get("limit")
        return None if limit is None else int(limit)

    def shows_published(self, dataset: str) -> bool:
        """Whether the report shows figures that others have published beside a dataset's own."""
        return bool(self._config["datasets"][dataset].get("published"))
