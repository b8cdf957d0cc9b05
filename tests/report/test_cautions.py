"""What the first screen warns of: whom, how many, what to do."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from plotchain_lib.prices import Price
from plotchain_lib.query.money import OverBudgetError, Purse, Terms
from plotchain_lib.report import ReportInputs, load_datasets
from plotchain_lib.report.cautions import Caution, cautions, pending_counts
from plotchain_lib.report.inputs import Dataset

MakeInputs = Callable[..., ReportInputs]
MODEL, OTHER = "gpt-4.1", "claude-sonnet-4-5-20250929"


def load(inputs: ReportInputs, **entry: Any) -> Dataset:
    """The dataset, its run's record of `MODEL` changed."""
    dataset = load_datasets(inputs)[0]
    run: dict[str, Any] = json.loads(json.dumps(dataset.run))
    run["models"][MODEL] |= {"served_models": [], "sent": {}} | entry
    return replace(dataset, run=run)


def ended(dataset: Dataset, outcomes: dict[str, int], model: str = MODEL) -> Dataset:
    """The dataset in which this many calls of a model ended so, the others with an answer."""
    answers = dataset.answers.copy()
    items = answers[answers["model"] == model]["item"].unique()
    names = [name for name, count in outcomes.items() for _ in range(count)]
    found = dict(zip(items, names + ["answered"] * len(items), strict=False))
    mine = answers["model"] == model
    answers.loc[mine, "outcome"] = answers.loc[mine, "item"].map(found)
    return replace(dataset, answers=answers)


def budget_sentence(cache: Path) -> str:
    """What the broker says of a call that no budget covers."""
    price = Price("tiny", "m", 1.0, 10.0, 1.0, 10.0, "2026-01-01", "here")
    with pytest.raises(OverBudgetError) as caught:
        asyncio.run(Purse(cache).hold(MODEL, Terms(price, budget_usd=1.0), 1_000_000, 100_000))
    return str(caught.value)


def of_model(dataset: Dataset, model: str = MODEL) -> list[Caution]:
    return [caution for caution in cautions(dataset) if caution.subject == model]


@pytest.fixture
def quiet(fake_report: MakeInputs) -> ReportInputs:
    """One model, 30 items, every call answered unless a test says otherwise."""
    return fake_report(1, items_per_family=2, pending=False)


def test_a_clean_run_has_nothing_to_beware_of(quiet: ReportInputs) -> None:
    assert cautions(ended(load(quiet), {})) == ()


def test_truncated_answers_are_counted(quiet: ReportInputs) -> None:
    (caution,) = of_model(ended(load(quiet), {"truncated": 4}))
    assert (caution.kind, caution.count) == ("truncated", 4)
    assert caution.what == "4 of 30 answers cut off at the token limit"
    assert caution.remedy == "raise max_tokens and run again"


def test_other_failures_share_a_line(quiet: ReportInputs) -> None:
    (caution,) = of_model(ended(load(quiet), {"refused": 2, "empty": 1}))
    assert caution.what == "3 of 30 calls brought no answer: 2 refused, 1 empty"


def test_a_few_failures_are_no_caution(fake_report: MakeInputs) -> None:
    dataset = load(fake_report(1, items_per_family=8, pending=False))  # 120 calls
    assert of_model(ended(dataset, {"rejected": 1})) == []
    assert len(of_model(ended(dataset, {"rejected": 2}))) == 1


def test_a_budget_is_told_from_an_outage(quiet: ReportInputs, tmp_path: Path) -> None:
    reasons = {budget_sentence(tmp_path): 5, "no key": 2}
    dataset = ended(load(quiet, pending_reasons=reasons), {"pending": 7})
    budget, pending = of_model(dataset)
    assert (budget.kind, budget.count) == ("budget", 5)
    assert budget.what == "the budget stopped 5 of 30 calls"
    assert (pending.kind, pending.count, pending.what) == (
        "pending", 2, "2 of 30 calls pending: no key",
    )  # fmt: skip
    assert pending_counts(cautions(dataset)) == {MODEL: 7}


def test_many_reasons_are_cut(quiet: ReportInputs) -> None:
    reasons = {f"outage {i}": 9 - i for i in range(5)}
    (caution,) = of_model(ended(load(quiet, pending_reasons=reasons), {"pending": 7}))
    assert caution.what.endswith(
        "pending: outage 0 (9); outage 1 (8); outage 2 (7); 2 other reasons"
    )


def test_missing_pictures_of_a_release_are_counted_once(quiet: ReportInputs) -> None:
    reason = "data/images/pump_curve/pump_curve_00{}.png: the picture cannot be read (No such file)"
    reasons = {reason.format(i): 1 for i in range(3)}
    dataset = ended(load(quiet, pending_reasons=reasons), {"pending": 3})
    dataset = replace(dataset, facts={"release": "data"})
    pictures, waiting = cautions(dataset)
    assert (pictures.kind, pictures.subject, pictures.count) == ("pictures", "plotchain", 3)
    assert "data" in pictures.remedy
    assert waiting.what == "3 of 30 calls pending: the picture cannot be read"


@pytest.mark.parametrize(
    ("requested", "served", "kind", "words"),
    [
        (["gpt-4.1"], ["gpt-4.1-2025-04-14"], "unpinned", "set model: gpt-4.1-2025-04-14"),
        (["gpt-4o-latest"], ["gpt-4o-latest"], "unpinned", "name a dated version"),
        (["gpt-4.1"], ["a", "b"], "mixed", "2 models answered under one name: a, b"),
    ],
)
def test_a_moving_name_is_told(
    quiet: ReportInputs, requested: list[str], served: list[str], kind: str, words: str
) -> None:
    sent = {"settings.model": requested}
    (caution,) = of_model(ended(load(quiet, sent=sent, served_models=served), {}))
    assert caution.kind == kind
    assert words in f"{caution.what}; {caution.remedy}"


@pytest.mark.parametrize("served", [["gpt-4.1-2025-04-14"], []])
def test_a_pinned_name_is_none(quiet: ReportInputs, served: list[str]) -> None:
    sent = {"settings.model": ["gpt-4.1-2025-04-14"]}
    assert of_model(ended(load(quiet, sent=sent, served_models=served), {})) == []


def test_a_limit_is_told_first(fake_report: MakeInputs) -> None:
    dataset = replace(load_datasets(fake_report(2, items_per_family=1))[0], facts={"limit": 2})
    first = cautions(dataset)[0]
    assert (first.kind, first.what) == ("limit", "only the first 2 items of each shard were asked")


def test_a_parsing_that_changes_ranks_is_told(fake_report: MakeInputs) -> None:
    dataset = load(fake_report(3, items_per_family=2, pending=False))
    same = dataset.scores["plotread"]
    assert not [c for c in cautions(dataset) if c.kind == "parsing"]  # strict: other tolerances
    metrics = [
        entry | {"value": 1 - entry["value"]}
        for entry in dataset.significance["plotread"]["metrics"]
    ]
    other = {**dataset.significance["plotread"], "metrics": metrics}
    turned = replace(
        dataset, policies=("plotread", "paper"), scores={"plotread": same, "paper": same},
        means={"plotread": dataset.means["plotread"], "paper": dataset.means["plotread"]},
        significance={"plotread": dataset.significance["plotread"], "paper": other},
    )  # fmt: skip
    (caution,) = [c for c in cautions(turned) if c.kind == "parsing"]
    assert (caution.subject, caution.count) == ("paper", 2)  # the first and the last of three
    assert caution.what == "reads the replies otherwise, and 2 models change rank"
