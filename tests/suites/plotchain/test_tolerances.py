"""The families' tolerances are the shipped policies', and the published table's."""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path

import numpy as np
import pytest

from plotchain_lib.policy import load_policy
from plotchain_lib.suites.plotchain import families
from plotchain_lib.suites.plotchain.published import plotread

POLICIES = Path(__file__).resolve().parents[3] / "config/policies/plotchain"


@pytest.mark.parametrize("policy", ["plotread", "strict"])
@pytest.mark.parametrize("name", families.names())
def test_shipped_policies_allow_what_the_families_say(policy: str, name: str) -> None:
    loaded = load_policy(POLICIES / f"{policy}.yaml")
    for field, tolerance in families.load(name).tolerances.items():
        absolute, relative = getattr(tolerance, policy)
        for truth in (-40.0, -0.3, 0.0, 0.02, 0.9, 1.0, 7.0, 1234.0):
            tolerances = loaded.for_rows([name], [field], np.array([truth]))
            shipped = max(tolerances[0][0], tolerances[1][0] * max(abs(truth), 1e-12))
            ours = max(absolute, relative * max(abs(truth), 1e-12))
            assert ours == pytest.approx(shipped, rel=1e-9), (field, truth)


def test_every_released_field_keeps_its_published_tolerance() -> None:
    reference = os.environ.get("PLOTCHAIN_REFERENCE")
    if not reference:
        pytest.skip("PLOTCHAIN_REFERENCE names no copy of the published data")
    folder = Path(reference) / "plotchain"
    with (folder / "tolerances.csv").open() as stream:
        rows = {(r["family"], r["field"]): r for r in csv.DictReader(stream)}
    used = {
        (record["type"], field)
        for line in (folder / "plotchain.jsonl").read_text().splitlines()
        for record in [json.loads(line)]
        for field in record["ground_truth"]
    }
    assert len(used) == 58
    for family, field in sorted(used):
        row = rows.get((family, field))
        published = (
            (float(row["plotread_abs"]), float(row["plotread_rel"])) if row else (0.08, 0.10)
        )
        assert plotread(family, field) == published, (family, field)
