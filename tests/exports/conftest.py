"""Small datasets of both suites, made once."""

from __future__ import annotations

import json

import pytest
from small_sets import POLICIES, Small, drawn

from plotchain_lib import suites


@pytest.fixture(scope="session")
def plotchain(tmp_path_factory: pytest.TempPathFactory) -> Small:
    suite = suites.load("plotchain")
    items = [
        item for family in ("bandpass_response", "pump_curve")
        for item in suite.items(family, 0, 3, {})
    ]  # fmt: skip
    whole = {item.id: json.dumps(dict(item.truth)) for item in items}
    first, second, third, fourth, fifth, _ = items
    # Right under plotread and not under strict: 4 % off where 5 % and 3 % are allowed.
    off = {**first.truth, "resonance_hz": float(first.truth["resonance_hz"]) * 1.04}
    half = dict(list(fourth.truth.items())[:1])
    replies = whole | {
        first.id: json.dumps(off),
        second.id: f"```json\n{whole[second.id]}\n```\nI am sure.",
        third.id: "I cannot read this.",
        fourth.id: json.dumps(half),
        fifth.id: "  ",
    }
    names = {"plotread": ["plotread"], "strict": ["strict"]}
    policies = {n: [POLICIES / "plotchain" / f"{f}.yaml" for f in fs] for n, fs in names.items()}
    pictures = drawn("plotchain", items, tmp_path_factory.mktemp("plotchain"))
    return Small(items, pictures, replies, policies)


@pytest.fixture(scope="session")
def grab(tmp_path_factory: pytest.TempPathFactory) -> Small:
    suite = suites.load("grab")
    items = [
        item for shard in ("function_range", "properties_counting") if shard in suite.shards()
        for item in suite.items(shard, 0, 2, {"width_px": 600})
    ]  # fmt: skip
    items += suite.items("function_extrema", 0, 2, {"width_px": 600})
    replies = {item.id: str(item.truth["answer"]) for item in items}
    replies[items[0].id] = f"The answer is {items[0].truth['answer']}."  # lenient, not exact
    replies[items[1].id] = "no idea"
    names = {"exact": ["exact"], "lenient": ["lenient", "exact"]}
    policies = {n: [POLICIES / "grab" / f"{f}.yaml" for f in fs] for n, fs in names.items()}
    return Small(items, drawn("grab", items, tmp_path_factory.mktemp("grab")), replies, policies)


@pytest.fixture(params=["plotchain", "grab"])
def small(request: pytest.FixtureRequest) -> Small:
    chosen: Small = request.getfixturevalue(request.param)
    return chosen
