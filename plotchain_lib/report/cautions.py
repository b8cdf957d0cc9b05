"""What to beware of before believing the ranking: one line each, with a count and a remedy."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from plotchain_lib.report.calls import calls, run_entry
from plotchain_lib.report.inputs import Dataset
from plotchain_lib.report.ranks import rank_changes
from plotchain_lib.report.summary import all_models
from plotchain_lib.report.words import words_of

FAILED_OUTCOMES = ("refused", "blocked", "empty", "rejected")
WORTH_A_LINE = 0.01  # share of a model's calls that failed in one of these ways
MOST_REASONS = 3
PICTURE_REASON = re.compile(r"(.+\.png): (the picture cannot be read|not a PNG|the PNG is cut)")
BUDGET_REASON = "the budget "
NOTHING_FOUND = "[]"  # an empty list as JSON
FLOATING = re.compile(r"(^|[-_:.])latest$")


@dataclass(frozen=True, slots=True)
class Caution:
    """One line.

    Attributes:
        kind: a stable name: ``pending``, ``budget``, ``pictures``, ``truncated``, ``unanswered``,
            ``unpinned``, ``mixed``, ``limit``, ``parsing``, ``unsealed``, ``shown``, ``tampering``.
        subject: the model, the policy or the dataset that it concerns.
        count: how many calls, pictures, names; the number in numbers.json.
        what: what happened, with the count.
        remedy: what to do about it.
    """

    kind: str
    subject: str
    count: int
    what: str
    remedy: str


def cautions(dataset: Dataset) -> tuple[Caution, ...]:
    """Everything to beware of, what leaves a ranking open first."""
    ends: dict[str, Counter[str]] = {}
    made = calls(dataset)
    for model, outcome in zip(made["model"], made["outcome"], strict=True):
        ends.setdefault(str(model), Counter())[str(outcome)] += 1
    models = [model for model in all_models(dataset) if model in ends]
    found = [*_limit(dataset), *_missing_pictures(dataset), *_parsing(dataset)]
    for model in models:
        found += _waiting(dataset, model, ends[model])
    for model in models:
        found += _without_answer(model, ends[model])
    for model in models:
        found += _unsealed(dataset, model)
    for model in models:
        found += _integrity(dataset, model)
    for model in models:
        found += _unpinned(dataset, model)
    return tuple(found)


def pending_counts(found: tuple[Caution, ...]) -> dict[str, int]:
    """Calls that have no answer yet, by model."""
    counts: dict[str, int] = {}
    for caution in found:
        if caution.kind in ("pending", "budget"):
            counts[caution.subject] = counts.get(caution.subject, 0) + caution.count
    return counts


def _limit(dataset: Dataset) -> list[Caution]:
    limit = dataset.facts.get("limit")
    if limit is None:
        return []
    words = words_of(dataset.suite)
    what = f"only the first {int(limit)} {words.items} of each {words.shard} were asked"
    return [Caution("limit", dataset.name, int(limit), what, "set limit: null for the whole set")]


def _missing_pictures(dataset: Dataset) -> list[Caution]:
    """Of a release: pictures that a model should have seen and that are not there."""
    release = dataset.facts.get("release")
    if not release:
        return []
    missing = {
        match[1]
        for model in dataset.models
        for reason in _reasons(dataset, model)
        if (match := PICTURE_REASON.match(reason))
    }
    if not missing:
        return []
    what = f"{len(missing):,} {_plural('picture', missing)} of the release cannot be read"
    remedy = f"put the release's images under {release} and run again"
    return [Caution("pictures", dataset.name, len(missing), what, remedy)]


def _parsing(dataset: Dataset) -> list[Caution]:
    """Policies of the same tolerances that rank otherwise: how replies are read decides."""
    moved: dict[str, list[str]] = {}
    for change in rank_changes(dataset):
        if change.by_parsing:
            moved.setdefault(change.policy, []).append(change.model)
    return [
        Caution(
            "parsing", policy, len(models),
            f"reads the replies otherwise, and {len(models)} {_plural('model', models)} "
            f"{'changes' if len(models) == 1 else 'change'} rank",
            "see Judged differently and the forms of the answers",
        )
        for policy, models in moved.items()
    ]  # fmt: skip


def _waiting(dataset: Dataset, model: str, ends: Counter[str]) -> list[Caution]:
    """Pending calls, those that only a larger budget will answer apart."""
    count = ends["pending"]
    if not count:
        return []
    reasons = _reasons(dataset, model)
    unpaid = sum(n for reason, n in reasons.items() if reason.startswith(BUDGET_REASON))
    found = []
    if unpaid:
        what = f"the budget stopped {unpaid:,} of {ends.total():,} calls"
        found.append(Caution("budget", model, unpaid, what, "raise budget_usd and run again"))
    rest = {why: n for why, n in reasons.items() if not why.startswith(BUDGET_REASON)}
    if count > unpaid:
        told = _told(rest)
        what = f"{count - unpaid:,} of {ends.total():,} calls pending: {told}"
        remedy = "they count as failed; run again, and they are asked again"
        found.append(Caution("pending", model, count - unpaid, what, remedy))
    return found


def _told(reasons: Mapping[str, int]) -> str:
    """Reasons in words, the commonest first, pictures without their names."""
    grouped: dict[str, int] = {}
    for reason, count in reasons.items():
        match = PICTURE_REASON.match(reason)
        short = match[2] if match else reason
        grouped[short] = grouped.get(short, 0) + count
    ordered = sorted(grouped.items(), key=lambda pair: (-pair[1], pair[0]))
    told = [f"{reason} ({n:,})" if len(ordered) > 1 else reason for reason, n in ordered]
    more = [f"{len(told) - MOST_REASONS:,} other reasons"] if len(told) > MOST_REASONS else []
    return "; ".join(told[:MOST_REASONS] + more) or "no reason recorded"


def _without_answer(model: str, ends: Counter[str]) -> list[Caution]:
    """Answers cut off; and calls that failed otherwise, where they are more than a few."""
    total, found = ends.total(), []
    cut = ends["truncated"]
    if cut:
        what = f"{cut:,} of {total:,} answers cut off at the token limit"
        found.append(Caution("truncated", model, cut, what, "raise max_tokens and run again"))
    failed = {name: ends[name] for name in FAILED_OUTCOMES}
    number = sum(failed.values())
    if number and number >= WORTH_A_LINE * total:
        told = ", ".join(f"{count:,} {name}" for name, count in failed.items() if count)
        what = f"{number:,} of {total:,} calls brought no answer: {told}"
        remedy = "they count as failed; compare the answered-only rates as well"
        found.append(Caution("unanswered", model, number, what, remedy))
    return found


def _unsealed(dataset: Dataset, model: str) -> list[Caution]:
    """Episodes played, and scripts scored, where nothing kept them in."""
    told, number = [], 0
    for table, what in (
        (dataset.episodes, "episodes ran"),
        (dataset.submissions, "scripts scored"),
    ):
        own = table[table["model"] == model] if table is not None else None
        count = 0 if own is None else int((~own["sealed"]).sum())
        if own is not None and count:
            told.append(f"{count:,} of {len(own):,} {what} unsealed")
            number += count
    remedy = "read Integrity before trusting them; install bubblewrap and ask again"
    return [Caution("unsealed", model, number, ", ".join(told), remedy)] if told else []


def _integrity(dataset: Dataset, model: str) -> list[Caution]:
    """Answers that an agent was shown, and scripts that may be meant for their reader."""
    if dataset.episodes is None:
        return []
    own = dataset.episodes[dataset.episodes["model"] == model]
    found = []
    for kind, column, what in (
        ("shown", "answer_tokens", "showed the agent a word of the answer"),
        ("tampering", "tampering", "submitted a script that may be meant for its reader"),
    ):
        count = int((own[column] != NOTHING_FOUND).sum())
        if count:
            told = f"{count:,} of {len(own):,} episodes {what}"
            found.append(Caution(kind, model, count, told, "see Integrity for each"))
    return found


def _unpinned(dataset: Dataset, model: str) -> list[Caution]:
    """A name behind which the provider may put another model tomorrow.

    The run's record tells: what was served has another name than what was requested, or several,
    or the name itself says that it moves.
    """
    entry = run_entry(dataset, model)
    served = [str(name) for name in entry.get("served_models") or ()]
    if len(served) > 1:
        what = f"{len(served)} models answered under one name: {', '.join(served)}"
        remedy = "name one dated version under model and ask again"
        return [Caution("mixed", model, len(served), what, remedy)]
    sent = entry.get("sent") or {}
    requested = [str(name) for name in sent.get("settings.model") or ()]
    moving = [name for name in requested if FLOATING.search(name)]
    other = [name for name in requested if served and name != served[0]]
    for name in dict.fromkeys([*other, *moving]):
        answered = f", {served[0]} answered" if name in other else ""
        what = f"{name} is an alias{answered}"
        remedy = f"set model: {served[0]} to pin it" if answered else "name a dated version"
        return [Caution("unpinned", model, 1, what, remedy)]
    return []


def _reasons(dataset: Dataset, model: str) -> dict[str, int]:
    reasons = run_entry(dataset, model).get("pending_reasons")
    return {str(k): int(n) for k, n in reasons.items()} if isinstance(reasons, Mapping) else {}


def _plural(word: str, things: Collection[str]) -> str:
    return word if len(things) == 1 else f"{word}s"
