"""Agreement between repeats, worked out by hand."""

from __future__ import annotations

import math

import pandas as pd
import pytest

from plotchain_lib.report.repeats import agreement_of

NAN = math.nan


def verdicts() -> pd.DataFrame:
    rows = [
        # model, item, repeat, value, passed, outcome: two items of one field, three times
        ("a", "i", 1, 1.0, True, "answered"), ("a", "i", 2, 1.0, True, "answered"),
        ("a", "i", 3, 1.0, True, "answered"),
        ("a", "j", 1, 1.0, True, "answered"), ("a", "j", 2, 2.0, True, "answered"),
        ("a", "j", 3, 9.0, False, "answered"),
        # a value missing both times is the same; a pending call is no repeat
        ("b", "i", 1, NAN, False, "answered"), ("b", "i", 2, NAN, False, "refused"),
        ("b", "i", 3, NAN, False, "pending"),
        ("b", "j", 1, 1.0, True, "answered"), ("b", "j", 2, NAN, False, "pending"),
    ]  # fmt: skip
    columns = ["model", "item", "repeat", "value", "passed", "outcome"]
    return pd.DataFrame(rows, columns=columns).assign(field="f")


def test_agreement_by_hand() -> None:
    table = agreement_of(verdicts())
    assert dict(table.loc["a"]) == pytest.approx(
        {"same_value": 0.5, "same_verdict": 0.5, "always": 0.5, "sometimes": 0.5, "fields": 2}
    )
    assert dict(table.loc["b"]) == pytest.approx(
        {"same_value": 1.0, "same_verdict": 1.0, "always": 0.0, "sometimes": 0.0, "fields": 1}
    )
