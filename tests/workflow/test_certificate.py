"""The certificate of a finished run, and where the report shows it."""

from __future__ import annotations

import json

import pandas as pd
import pytest
from clone import Workspace


def test_a_run_ends_with_a_certificate(built: Workspace) -> None:
    results = built.folder / "results"
    table = pd.read_csv(results / "small/certificate.csv")
    assert (len(table), set(table["dataset"]), set(table["items"])) == (9, {"small"}, {2})
    summary = pd.read_csv(results / "small/validation_summary.csv")
    assert table["tolerance_px"].tolist() == summary["tolerance_px_median"].tolist()
    assert table["duplicates"].tolist() == [0] * 9  # the pictures are known, and all differ
    scores = pd.read_parquet(results / "small/scores/plotread.parquet")
    blind = scores[scores["model"] == "blind"].groupby(["group", "field"])["passed"].mean()
    floors = table.set_index(["family", "field"])["floor"].sort_index()
    assert floors.tolist() == pytest.approx(blind.sort_index().tolist())
    derived = table.set_index("field")["derived_from"].dropna().to_dict()
    assert derived["bandwidth_hz"] == "cp_f1_3db_hz, cp_f2_3db_hz"


def test_the_report_holds_the_certificate_once(built: Workspace) -> None:
    results = built.folder / "results"
    written = (results / "small/certificate.csv").read_bytes()
    assert (results / "tables/certificate.csv").read_bytes() == written
    assert 'id="small-certificate"' in (results / "report.html").read_text(encoding="utf-8")
    numbers = json.loads((results / "numbers.json").read_text(encoding="utf-8"))
    assert numbers["small"]["certificate"]["pump_curve"]["cp_qmax_m3h"]["items"] == 2
