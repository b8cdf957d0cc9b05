"""Seeded inputs of a report, as the stages before it would write them, for any number of models."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from plotchain_lib.item import ANSWER_COLUMNS, SCORE_COLUMNS
from plotchain_lib.report import ReportInputs
from plotchain_lib.report.inputs import CERTIFICATE_COLUMNS

FAMILIES = (
    "bandpass_response", "bode_magnitude", "bode_phase", "fft_spectrum", "iv_diode", "iv_resistor",
    "pole_zero", "pump_curve", "sn_curve", "spectrogram", "step_response", "stress_strain",
    "time_waveform", "torque_speed", "transfer_characteristic",
)  # fmt: skip
FIELDS = (("value_hz", "final"), ("width_s", "final"), ("cp_left", "checkpoint"),
          ("cp_right", "checkpoint"))  # fmt: skip
NAMES = (
    "gpt-4.1", "claude-sonnet-4-5-20250929", "gemini-2.5-pro", "gpt-4o", "qwen2.5-vl-72b-instruct",
    "internvl3-78b", "pixtral-large-2411", "llama-4-maverick", "o4-mini", "claude-haiku-4.5",
)  # fmt: skip
METRICS = {
    "field_pass_rate": ("field", None), "final_field_pass_rate": ("field", "final"),
    "checkpoint_field_pass_rate": ("field", "checkpoint"), "final_all_pass": ("item", "final"),
    "checkpoint_all_pass": ("item", "checkpoint"), "all_pass": ("item", None),
}  # fmt: skip
SCALES = {"plotread": 1.0, "strict": 0.6}


def model_names(count: int) -> list[str]:
    """Short and long labels, more than anyone would run."""
    return [NAMES[i % len(NAMES)] + (f"-run{i // len(NAMES)}" if i >= len(NAMES) else "")
            for i in range(count)]  # fmt: skip


def make_inputs(
    folder: Path, models: int, items_per_family: int = 6, seed: int = 1, pending: bool = True,
    validated: bool = True, dataset: str = "plotchain",
) -> dict[str, Any]:  # fmt: skip
    """Write all files of one dataset; returns what a workflow would pass to the report."""
    random = np.random.default_rng(seed)
    kinds = dict.fromkeys(model_names(models), "openai") | {"reader": "reader", "blind": "blind"}
    if models == 0:
        del kinds["reader"]
    questions = _questions(items_per_family, random)
    folder.mkdir(parents=True, exist_ok=True)
    raw = []
    for place, (label, kind) in enumerate(kinds.items()):
        raw.append(_ask(questions, label, kind, place, random, pending and place == 1))
    verdicts = pd.concat(raw, ignore_index=True)
    scores, significance = {}, {}
    for policy in SCALES:
        frame = _judge(verdicts, dataset, policy)
        scores[policy] = str(folder / f"scores-{policy}.parquet")
        frame.to_parquet(scores[policy], index=False)
        significance[policy] = str(folder / f"significance-{policy}.json")
        record = significance_record(frame, dataset, policy, kinds)
        Path(significance[policy]).write_text(json.dumps(record))
    entry = {
        "suite": "plotchain", "headline": "plotread", "scores": scores,
        "significance": significance, "answers": {"strict-json": _answers(verdicts, folder)},
        "run": str(_run(folder, dataset, kinds, verdicts)),
        "certificate": str(_certificate(folder, dataset, questions)),
        "facts": {"seed": 0, "items_per_family": items_per_family},
    }  # fmt: skip
    if validated:
        entry |= _validation(folder, questions)
    return {"models": kinds, "datasets": {dataset: entry}}


def _questions(items_per_family: int, random: np.random.Generator) -> pd.DataFrame:
    rows = [
        (f"{family}_{i:03d}", family, ("clean", "clean", "moderate", "edge")[i % 4], field, scope)
        for family in FAMILIES
        for i in range(items_per_family)
        for field, scope in FIELDS
        if scope == "final" or family not in {"iv_diode", "pole_zero"}
    ]
    frame = pd.DataFrame(rows, columns=["item", "shard", "difficulty", "field", "scope"])
    frame["truth"] = np.round(random.uniform(1, 100, len(frame)), 2)
    frame["hardness"] = frame["shard"].map(
        dict(zip(FAMILIES, random.uniform(0.02, 0.25, len(FAMILIES)), strict=True))
    ) * frame["difficulty"].map({"clean": 0.6, "moderate": 1.0, "edge": 1.8})
    return frame


def _ask(
    questions: pd.DataFrame, label: str, kind: str, place: int, random: np.random.Generator,
    pending: bool,
) -> pd.DataFrame:  # fmt: skip
    skill = {"reader": 0.12, "blind": 6.0}.get(kind, 0.4 + 0.13 * place)
    frame = questions.copy()
    error = random.standard_normal(len(frame)) * frame["hardness"] * skill
    frame["value"] = frame["truth"] * (1 + error)
    frame["model"], frame["repeat"] = label, 1
    items = frame["item"].unique()
    outcome = pd.Series("answered", index=items)
    if kind == "openai":
        outcome[random.random(len(items)) < 0.01] = "truncated"
        outcome[random.random(len(items)) < 0.004] = "refused"
    if pending:
        outcome.iloc[-7:] = "pending"
    frame["outcome"] = frame["item"].map(outcome)
    form = pd.Series(random.choice(["direct", "fenced", "embedded"], len(items), p=[0.9, 0.07, 0.03]),
                     index=items)  # fmt: skip
    frame["form"] = frame["item"].map(form).where(frame["outcome"] == "answered", "none")
    frame.loc[frame["outcome"] != "answered", "value"] = np.nan
    latency = pd.Series(random.gamma(4, 0.4 + 0.3 * (place % 7), len(items)), index=items)
    frame["latency_s"] = np.nan if kind == "blind" else frame["item"].map(latency)
    return frame


def _judge(verdicts: pd.DataFrame, dataset: str, policy: str) -> pd.DataFrame:
    frame = verdicts.assign(dataset=dataset, policy=policy, group=verdicts["shard"], derived=np.nan)
    frame["abs_tol"] = 0.05 * SCALES[policy]
    frame["rel_tol"] = np.where(frame["field"] == "cp_left", 0.12, 0.08) * SCALES[policy]
    frame["abs_err"] = (frame["value"] - frame["truth"]).abs()
    frame["rel_err"] = frame["abs_err"] / frame["truth"].abs()
    frame["passed"] = (frame["abs_err"] <= frame["abs_tol"]) | (
        frame["rel_err"] <= frame["rel_tol"]
    )
    frame["score"] = frame["passed"].astype(float)
    return frame[list(SCORE_COLUMNS)]


def _answers(verdicts: pd.DataFrame, folder: Path) -> dict[str, str]:
    paths = {}
    for label, frame in verdicts.groupby("model", sort=False):
        path = folder / f"answers-{label}.parquet"
        full = frame.assign(dataset="plotchain", text=None, input_tokens=900, output_tokens=80,
                            cost_usd=None)  # fmt: skip
        full[list(ANSWER_COLUMNS)].to_parquet(path, index=False)
        paths[str(label)] = str(path)
    return paths


def _run(folder: Path, dataset: str, kinds: dict[str, str], verdicts: pd.DataFrame) -> Path:
    calls = verdicts.drop_duplicates(["model", "item"])
    models = {}
    for label, kind in kinds.items():
        counts = calls[calls["model"] == label]["outcome"].value_counts()
        entry: dict[str, Any] = {
            "responses": int(counts.sum()), "first_asked_at": "2026-05-04T10:11:12Z",
            "last_asked_at": "2026-05-04T11:40:00Z",
            "served_models": [f"{label}-2025"] if kind == "openai" else [],
            "sent": {"temperature": [0], "max_output_tokens": [2000]} if kind == "openai" else {},
            "outcomes": {str(name): int(n) for name, n in counts.items()},
            "pending_reasons": {}, "input_tokens": 81234, "output_tokens": 20100,
            "cost_usd": 0.43 if kind == "openai" else None, "sha256": f"{len(label):064x}",
        }  # fmt: skip
        if "pending" in counts:
            entry["pending_reasons"] = {"no key: set OPENAI_API_KEY <script>alert(1)</script>": 7}
        models[label] = entry
    path = folder / "run.json"
    record = {"first_asked_at": "2026-05-04T10:11:12Z", "last_asked_at": "2026-05-04T11:40:00Z",
              "responses": len(calls), "models": models}  # fmt: skip
    path.write_text(json.dumps(record))
    return path


def _validation(folder: Path, questions: pd.DataFrame) -> dict[str, str]:
    rows = questions.assign(
        measured=questions["truth"], difference=0.0, allowed=0.1, agrees=True, tolerance_px=8.5
    )
    rows[["item", "shard", "field", "truth", "measured", "difference", "allowed", "agrees",
          "tolerance_px"]].to_csv(folder / "validation.csv", index=False)  # fmt: skip
    summary = rows.groupby(["shard", "field"], as_index=False).agg(
        items=("item", "size"), agreeing=("agrees", "sum"), distinct_values=("truth", "nunique"),
        minimum=("truth", "min"), maximum=("truth", "max"),
        tolerance_px_min=("tolerance_px", "min"), tolerance_px_median=("tolerance_px", "median"),
    )  # fmt: skip
    summary.assign(unit="Hz", readable_share=1.0, floor=0.21).to_csv(
        folder / "validation_summary.csv", index=False
    )
    return {"validation": str(folder / "validation.csv"),
            "validation_summary": str(folder / "validation_summary.csv")}  # fmt: skip


def _certificate(folder: Path, dataset: str, questions: pd.DataFrame) -> Path:
    """Of every four fields one is flagged, one was never shown to the ceiling, one has no unit."""
    about = questions.groupby(["shard", "field"], as_index=False).agg(
        scope=("scope", "first"), items=("item", "size"), distinct_values=("truth", "nunique")
    )
    place = np.arange(len(about)) % 4
    about = about.rename(columns={"shard": "family"}).assign(
        dataset=dataset, unit=np.where(place == 1, "", "Hz"), pictures=about["items"],
        ceiling=np.where(place == 2, np.nan, 0.975), floor=0.125, tolerance_px=8.5,
        null_share=np.where(place == 2, np.nan, 0.0),
        wrong_share=np.where(place == 2, np.nan, 0.0), duplicates=0,
        flags=np.where(place == 0, "given away; derived", ""),
        derived_from=np.where(place == 0, "cp_left", ""), formula="",
        axis=np.where(place % 2 == 0, "log", "linear"),
    )  # fmt: skip
    about["range"] = about["ceiling"] - about["floor"]
    path = folder / "certificate.csv"
    about[list(CERTIFICATE_COLUMNS)].to_csv(path, index=False, lineterminator="\n")
    return path


def significance_record(
    frame: pd.DataFrame, dataset: str, policy: str, kinds: dict[str, str]
) -> dict[str, Any]:
    """Intervals and pairs by the plainest formulae; their shape matters here, not their method."""
    wide = {name: _wide(frame, *how) for name, how in METRICS.items()}
    metrics = [_share(name, model, table[model]) for name, table in wide.items() for model in kinds]
    contestants = [model for model, kind in kinds.items() if kind == "openai"]
    pairs = [_pair(name, wide[name], *two) for name in ("field_pass_rate", "final_all_pass")
             for two in itertools.combinations(sorted(contestants), 2)]  # fmt: skip
    return {"dataset": dataset, "policy": policy, "alpha": 0.05, "resamples": 10000, "seed": 0,
            "metrics": metrics, "pairs": pairs, "groups": _groups(frame, kinds)}  # fmt: skip


def _groups(frame: pd.DataFrame, kinds: dict[str, str]) -> list[dict[str, Any]]:
    return [
        {"group": str(group), **_share(name, model, part[part["model"] == model]["passed"])}
        for group, part in frame.groupby("group")
        for name in ("field_pass_rate",)
        for model in kinds
    ]


def _wide(frame: pd.DataFrame, unit: str, scope: str | None) -> pd.DataFrame:
    part = frame if scope is None else frame[frame["scope"] == scope]
    index = ["item"] if unit == "item" else ["item", "field"]
    return part.groupby([*index, "model"])["passed"].all().unstack("model")


def _share(metric: str, model: str, passed: pd.Series[Any]) -> dict[str, Any]:
    n, value = len(passed), float(passed.mean()) if len(passed) else None
    half = 0.0 if value is None else 1.96 * np.sqrt(value * (1 - value) / n)
    return {"metric": metric, "model": model, "value": value, "n": n, "passed": int(passed.sum()),
            "lower": None if value is None else value - half,
            "upper": None if value is None else value + half, "method": "normal"}  # fmt: skip


def _pair(metric: str, table: pd.DataFrame, first: str, second: str) -> dict[str, Any]:
    a, b = table[first].astype(bool), table[second].astype(bool)
    difference = float(a.mean() - b.mean())
    p = float(np.exp(-abs(difference) * 120))
    return {"metric": metric, "first": first, "second": second, "both": int((a & b).sum()),
            "only_first": int((a & ~b).sum()), "only_second": int((~a & b).sum()),
            "neither": int((~a & ~b).sum()), "difference": difference, "lower": difference - 0.02,
            "upper": difference + 0.02, "p": p, "p_holm": min(1.0, 3 * p),
            "test": "McNemar exact", "significant": 3 * p < 0.05}  # fmt: skip


@pytest.fixture
def make_mapping(tmp_path: Path) -> Callable[..., dict[str, Any]]:
    """A maker of what a workflow passes to the report."""

    def make(models: int, name: str = "inputs", **options: Any) -> dict[str, Any]:
        return make_inputs(tmp_path / name, models, **options)

    return make


@pytest.fixture
def fake_report(tmp_path: Path) -> Callable[..., ReportInputs]:
    """A maker of inputs: ``fake_report(4)`` has four models and both baselines."""

    def make(models: int, name: str = "inputs", **options: Any) -> ReportInputs:
        return ReportInputs.from_mapping(make_inputs(tmp_path / name, models, **options))

    return make
