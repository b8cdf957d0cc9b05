"""The limits of a model: which are none, and whose file holds."""

from pathlib import Path

import pytest

from plotchain_lib.files import write_json
from plotchain_lib.item import PlotChainError
from plotchain_lib.query import limits_path
from plotchain_lib.query.limits import LimitsFiles, check_limits


def test_limits_are_those_of_the_folder_and_its_last_start(tmp_path: Path) -> None:
    files = LimitsFiles(tmp_path / "cache")
    here, there = tmp_path / "here", tmp_path / "there"
    assert files.of(here, "m")[0].requests_per_minute is None
    entry = {"requests_per_minute": 60, "budget_usd": 1}
    write_json(limits_path(tmp_path / "cache", here), {"m": entry})
    first, terms = files.of(here, "m")
    assert first.requests_per_minute == 60 and first.concurrency is None
    assert terms.budget_usd == 1 and (first, terms) == files.of(here, "m")
    assert files.of(here, "other")[0].requests_per_minute is None
    assert files.of(there, "m")[0].requests_per_minute is None
    write_json(limits_path(tmp_path / "cache", here), {"m": entry})
    assert files.of(here, "m")[0].run != first.run  # another start, though nothing changed
    limits_path(tmp_path / "cache", here).write_text("{")
    with pytest.raises(PlotChainError, match="run Snakemake again"):
        files.of(here, "m")


@pytest.mark.parametrize(
    ("limits", "told"),
    [
        ({"requests_per_minute": 0}, "requests_per_minute: 0 is no limit; give a whole number"),
        ({"tokens_per_minute": 1.5}, "tokens_per_minute: 1.5 is no limit"),
        ({"concurrency": True}, "concurrency: True is no limit"),
        ({"outage_s": "long"}, "outage_s: 'long' is no limit; give seconds"),
        ({"patience_s": -1}, "patience_s: -1 is no limit"),
    ],
)
def test_a_limit_that_is_none_is_told(limits: dict[str, object], told: str) -> None:
    with pytest.raises(PlotChainError, match=told):
        check_limits(limits)
    check_limits({"concurrency": 1, "outage_s": 0, "tokens_per_minute": None, "model": "x"})
