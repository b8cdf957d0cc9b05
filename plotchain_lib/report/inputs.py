"""What the report reads: files of one run, checked and loaded.

The report sees only tables. A missing file or column is a `PlotChainError` of one line, because
the person who meets it is looking at a failed rule, not at this code.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from plotchain_lib.item import ANSWER_COLUMNS, SCORE_COLUMNS, PlotChainError
from plotchain_lib.report.browser_inputs import BrowserInputs
from plotchain_lib.report.means import Means, plain_means
from plotchain_lib.report.reading import read_csv, read_each, read_parquet, read_record

VALIDATION_COLUMNS = ("item", "shard", "field", "agrees", "tolerance_px")
VALIDATION_SUMMARY_COLUMNS = ("shard", "field", "readable_share")
CERTIFICATE_COLUMNS = (
    "dataset", "family", "field", "unit", "scope", "axis", "items", "pictures", "ceiling", "floor",
    "range", "distinct_values", "tolerance_px", "null_share", "wrong_share", "flags",
    "derived_from", "formula", "duplicates",
)  # fmt: skip
EPISODE_COLUMNS = (
    "item", "repeat", "review", "end", "turns", "malformed", "reminded", "sealed", "script_sha256",
    "command_s", "latency_s", "input_tokens", "output_tokens", "cost_usd", "outside",
    "answer_tokens", "tampering",
)  # fmt: skip
OPTIONAL_EPISODE_COLUMNS = ("drew_unsubmitted",)
SUBMISSION_COLUMNS = ("item", "script_sha256", "failure", "reason", "sealed")
UNSEALED = "†"
BASELINE_KINDS = {
    "blind": "floor", "reader": "ceiling", "lazy": "floor", "reference": "ceiling",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class DatasetInputs:
    """The files of one dataset.

    Attributes:
        name: the dataset's label in the config.
        suite: chooses the sections that only this suite has.
        headline: the policy the first screen shows.
        scores: policy to ``scores/{policy}.parquet``.
        significance: policy to ``significance/{policy}.json``.
        answers: parsing to model to ``answers/{parsing}/{model}.parquet``.
        run: ``run.json``.
        parsing: policy to the parsing it judges; the first parsing where not named.
        validation, validation_summary: of a generated dataset; None for a release.
        certificate: ``certificate.csv``; None where none was made.
        browser: what the item browser shows; None where the page shall have none.
        published: whether figures others have published stand beside the dataset's own.
        extractors: policy to the model that copies answers out of replies for it.
        episodes: model to ``episodes/{model}.parquet``, where items are episodes.
        submissions: model to ``submissions/{model}.parquet``, likewise.
        facts: shown as they are, for example seed, release, items_per_family, repeats.
    """

    name: str
    suite: str
    headline: str
    scores: Mapping[str, Path]
    significance: Mapping[str, Path]
    answers: Mapping[str, Mapping[str, Path]]
    run: Path
    parsing: Mapping[str, str] = field(default_factory=dict)
    validation: Path | None = None
    validation_summary: Path | None = None
    certificate: Path | None = None
    browser: BrowserInputs | None = None
    published: bool = False
    extractors: Mapping[str, str] = field(default_factory=dict)
    episodes: Mapping[str, Path] = field(default_factory=dict)
    submissions: Mapping[str, Path] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)

    @staticmethod
    def from_mapping(name: str, entry: Mapping[str, Any]) -> DatasetInputs:
        """Build from plain strings, as a workflow hands them over."""
        try:
            return DatasetInputs(
                name=name,
                suite=entry["suite"],
                headline=entry["headline"],
                scores=_paths(entry["scores"]),
                significance=_paths(entry["significance"]),
                answers={parsing: _paths(files) for parsing, files in entry["answers"].items()},
                run=Path(entry["run"]),
                parsing=dict(entry.get("parsing", {})),
                validation=_optional_path(entry.get("validation")),
                validation_summary=_optional_path(entry.get("validation_summary")),
                certificate=_optional_path(entry.get("certificate")),
                browser=BrowserInputs.from_mapping(entry.get("browser")),
                published=bool(entry.get("published")),
                extractors=dict(entry.get("extractors", {})),
                episodes=_paths(entry.get("episodes", {})),
                submissions=_paths(entry.get("submissions", {})),
                facts=dict(entry.get("facts", {})),
            )
        except KeyError as error:
            raise PlotChainError(
                f"report inputs of dataset {name}: {error} is missing; add it to the report rule"
            ) from error


@dataclass(frozen=True, slots=True)
class ReportInputs:
    """Everything one report is built from.

    Attributes:
        datasets: in the order they are shown.
        models: label to kind; the kinds ``blind`` and ``reader`` are floor and ceiling.
    """

    datasets: tuple[DatasetInputs, ...]
    models: Mapping[str, str]

    @staticmethod
    def from_mapping(record: Mapping[str, Any]) -> ReportInputs:
        """Build from ``{"models": {label: kind}, "datasets": {name: {...}}}``."""
        return ReportInputs(
            datasets=tuple(
                DatasetInputs.from_mapping(name, entry)
                for name, entry in record["datasets"].items()
            ),
            models=dict(record["models"]),
        )


@dataclass(frozen=True, slots=True)
class Dataset:
    """One dataset, loaded.

    Attributes:
        policies: the headline first.
        models: label to kind, only those that have a verdict in this dataset.
        scores: policy to verdicts.
        answers: the answers under the headline's parsing, all models in one frame.
        significance: policy to the record of intervals and tests.
        means: policy to metric to model to ``{value, n}``, what needs no test.
        run: the record of the calls.
        validation, validation_summary, certificate: None where there is none.
        episodes, submissions: one row per episode that has ended, and per script of a model; None
            where items are no episodes.
        browsable: whether the page shows its items one by one.
        published: whether figures others have published are shown.
        extractors: policy to the model that copies answers out of replies for it.
    """

    name: str
    suite: str
    policies: tuple[str, ...]
    models: Mapping[str, str]
    scores: Mapping[str, pd.DataFrame]
    answers: pd.DataFrame
    significance: Mapping[str, Mapping[str, Any]]
    means: Mapping[str, Means]
    run: Mapping[str, Any]
    validation: pd.DataFrame | None
    validation_summary: pd.DataFrame | None
    certificate: pd.DataFrame | None
    episodes: pd.DataFrame | None
    submissions: pd.DataFrame | None
    browsable: bool
    published: bool
    extractors: Mapping[str, str]
    facts: Mapping[str, Any]

    @property
    def headline(self) -> str:
        """The policy the first screen shows."""
        return self.policies[0]

    @property
    def verdicts(self) -> pd.DataFrame:
        """The verdicts under the headline policy."""
        return self.scores[self.headline]

    def baselines(self, role: str) -> tuple[str, ...]:
        """The labels of the ``floor`` or the ``ceiling``, as configured; several may be run."""
        kinds = self.models.items()
        return tuple(label for label, kind in kinds if BASELINE_KINDS.get(kind) == role)

    def is_baseline(self, label: str) -> bool:
        """Whether a model is no contestant but floor or ceiling."""
        return self.models.get(label, "") in BASELINE_KINDS

    @property
    def unsealed(self) -> frozenset[str]:
        """Models that played, or whose scripts were scored, outside a sealed sandbox."""
        tables = [table for table in (self.episodes, self.submissions) if table is not None]
        return frozenset(
            str(model) for table in tables for model in table.loc[~table["sealed"], "model"]
        )

    def named(self, label: str) -> str:
        """A model's label as charts and sentences show it: with the mark of an unsealed one."""
        return f"{label}{UNSEALED}" if label in self.unsealed else label


def load_dataset(inputs: DatasetInputs, models: Mapping[str, str]) -> Dataset:
    """Read and check all files of one dataset."""
    if inputs.headline not in inputs.scores:
        raise PlotChainError(
            f"report inputs of dataset {inputs.name}: no scores of the headline policy "
            f"{inputs.headline!r}; list it first under policies"
        )
    others = [policy for policy in inputs.scores if policy != inputs.headline]
    scores = {policy: read_parquet(path, SCORE_COLUMNS) for policy, path in inputs.scores.items()}
    answers = _read_answers(inputs)
    present = set(scores[inputs.headline]["model"].unique())
    return Dataset(
        name=inputs.name,
        suite=inputs.suite,
        policies=(inputs.headline, *others),
        models={label: kind for label, kind in models.items() if label in present},
        scores=scores,
        answers=answers,
        significance={p: _read_significance(path) for p, path in inputs.significance.items()},
        means={policy: plain_means(frame, answers) for policy, frame in scores.items()},
        run=read_record(inputs.run),
        validation=read_csv(inputs.validation, VALIDATION_COLUMNS),
        validation_summary=read_csv(inputs.validation_summary, VALIDATION_SUMMARY_COLUMNS),
        certificate=read_csv(inputs.certificate, CERTIFICATE_COLUMNS),
        episodes=read_each(inputs.episodes, EPISODE_COLUMNS, OPTIONAL_EPISODE_COLUMNS),
        submissions=read_each(inputs.submissions, SUBMISSION_COLUMNS),
        browsable=inputs.browser is not None,
        published=inputs.published,
        extractors=inputs.extractors,
        facts=inputs.facts,
    )


def _read_significance(path: Path) -> dict[str, Any]:
    record = read_record(path)
    for key in ("metrics", "pairs"):
        if not isinstance(record.get(key), list):
            raise PlotChainError(f"{path}: the list {key!r} is missing; delete it and run again")
    return record


def _read_answers(inputs: DatasetInputs) -> pd.DataFrame:
    parsing = inputs.parsing.get(inputs.headline) or next(iter(inputs.answers), "")
    files = inputs.answers.get(parsing, {})
    if not files:
        raise PlotChainError(
            f"report inputs of dataset {inputs.name}: no answers of the headline policy's "
            f"parsing {parsing!r}; add them to the report rule"
        )
    frames = [read_parquet(path, ANSWER_COLUMNS) for path in files.values()]
    filled = [frame for frame in frames if not frame.empty]
    return pd.concat(filled, ignore_index=True) if filled else frames[0]


def _paths(entries: Mapping[str, Any]) -> dict[str, Path]:
    return {key: Path(value) for key, value in entries.items()}


def _optional_path(value: Any) -> Path | None:
    return None if value in (None, "") else Path(value)
