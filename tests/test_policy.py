"""Policy files: what is read, and what every fault of a file says."""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path

import numpy as np
import pytest

from plotchain_lib.item import PlotChainError
from plotchain_lib.policy import default_pairs, load_policy, policy_files

FOLDER = Path(__file__).parents[1] / "config" / "policies" / "plotchain"
FULL = """\
suite: plotchain
description: "A test."
parsing: tolerant
rule: tolerance
columns: [family, field, abs_tol, rel_tol]
rows:
  - [one, a_hz, 0.0, 0.1]
  - [one, b_hz, 2, 0.05]
default:
  abs_tol: {at_least: 0.05, share_of_magnitude: 0.08, magnitude_at_least: 1.0}
  rel_tol: 0.10
"""


def write(folder: Path, text: str, name: str = "full") -> Path:
    path = folder / f"{name}.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_tolerances_of_rows(tmp_path: Path) -> None:
    policy = load_policy(write(tmp_path, FULL))
    absolute, relative = policy.for_rows(
        ["one", "one", "two", "two", "two"],
        ["a_hz", "b_hz", "a_hz", "a_hz", "a_hz"],
        np.array([100.0, 100.0, -100.0, 0.5, 0.0]),
    )
    # The default by hand: 0.08 x 100 = 8; below magnitude 1 it is max(0.05, 0.08 x 1) = 0.08.
    assert absolute == pytest.approx([0.0, 2.0, 8.0, 0.08, 0.08])
    assert relative == pytest.approx([0.1, 0.05, 0.1, 0.1, 0.1])
    assert (policy.name, policy.parsing, policy.rule) == ("full", "tolerant", "tolerance")
    assert default_pairs(policy, [("two", "x"), ("one", "a_hz")]) == [("two", "x")]
    assert policy_files(tmp_path / "full.yaml") == [tmp_path / "full.yaml"]


def test_small_default_floor(tmp_path: Path) -> None:
    policy = load_policy(
        write(tmp_path, FULL.replace("magnitude_at_least: 1.0", "magnitude_at_least: 0.1"))
    )
    absolute, _ = policy.for_rows(["x"], ["y"], np.array([0.2]))
    assert absolute == pytest.approx([0.05])  # 0.08 x 0.2 = 0.016 is below the floor


def test_extends_gives_only_what_differs(tmp_path: Path) -> None:
    write(tmp_path, FULL)
    middle = write(tmp_path, "extends: full\nrows:\n  - [one, a_hz, 9, 0.9]\n", "middle")
    last = write(tmp_path, "extends: middle\nparsing: paper\n", "last")
    policy = load_policy(last)
    assert policy.parsing == "paper"
    assert policy.name == "last"
    assert policy.tolerances == {("one", "a_hz"): (9.0, 0.9), ("one", "b_hz"): (2.0, 0.05)}
    assert policy_files(last) == [last, middle, tmp_path / "full.yaml"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("abs_tol, rel_tol]", "abs_tol]", "the column 'rel_tol' is missing"),
        ("field, abs_tol", "abs_tol, field", "the columns differ"),
        ("rule: tolerance", "rule: tolerance\nweight: 2", "unknown key 'weight'; known are"),
        ("a_hz, 0.0,", "a_hz, -0.1,", r"row 1 \(one/a_hz\): abs_tol is -0.1; write a number"),
        ("2, 0.05", "2, .inf", r"row 2 \(one/b_hz\): rel_tol is inf"),
        ("2, 0.05", ".nan, 0.05", r"row 2 \(one/b_hz\): abs_tol is nan"),
        ("2, 0.05", "2, 1e-3", r"row 2 .* rel_tol is '1e-3'; write a number .* such as 0.001"),
        ("2, 0.05", "2, true", r"row 2 .* rel_tol is True"),
        ("2, 0.05", "2", "row 2 needs 4 values"),
        ("one, b_hz", "one, a_hz", "row 2 repeats one/a_hz; keep one"),
        ("one, b_hz", "1, b_hz", "row 2: family and field must be names"),
        ("suite: plotchain", "suite: plots", "suite is 'plots'; use plotchain or grab"),
        ("parsing: tolerant", "parsing: loose", "parsing is 'loose'; use tolerant or paper"),
        ("rule: tolerance", "rule: guess", "rule is 'guess'; use tolerance"),
        ("rule: tolerance\n", "", "rule is missing; add it"),
        ("  rel_tol: 0.10\n", "", "default needs abs_tol"),
        ("at_least: 0.05, ", "", "default: abs_tol needs exactly at_least"),
        ("at_least: 0.05", "at_least: -1", "default: at_least is -1"),
        ("rows:", "rows: [", r"yaml:\d+: not valid YAML"),
        ("rows:\n", "rows: none\nx:\n", "unknown key 'x'"),
    ],
)  # fmt: skip
def test_faults_say_where_and_what_to_do(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert old in FULL
    path = write(tmp_path, FULL.replace(old, new, 1))
    with pytest.raises(PlotChainError, match=said) as caught:
        load_policy(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_faults_between_files(tmp_path: Path) -> None:
    folder = tmp_path / "grab"
    folder.mkdir()
    with pytest.raises(PlotChainError, match="suite is 'plotchain' in the folder of 'grab'"):
        load_policy(write(folder, FULL))
    write(tmp_path, FULL.replace("plotchain", "grab"))
    with pytest.raises(PlotChainError, match="it extends a policy of 'grab'"):
        load_policy(write(tmp_path, "extends: full\nsuite: plotchain\n", "other"))
    write(tmp_path, "extends: b\n", "a")
    with pytest.raises(PlotChainError, match=r"a -> b -> a\); break it"):
        load_policy(write(tmp_path, "extends: a\n", "b").with_name("a.yaml"))
    with pytest.raises(PlotChainError, match="extends 'gone', but"):
        load_policy(write(tmp_path, "extends: gone\n", "c"))
    with pytest.raises(PlotChainError, match="extends is a path"):
        load_policy(write(tmp_path, "extends: ../full\n", "d"))
    with pytest.raises(PlotChainError, match="cannot be read"):
        load_policy(tmp_path / "nothing.yaml")
    with pytest.raises(PlotChainError, match="expected keys and values"):
        load_policy(write(tmp_path, "- 1\n", "e"))


def test_policies_that_compare_texts(tmp_path: Path) -> None:
    grab = FOLDER.with_name("grab")
    for name in ("exact", "prefix", "lenient"):
        policy = load_policy(grab / f"{name}.yaml")
        assert (policy.suite, policy.parsing, policy.rule) == ("grab", "text", name)
        assert policy.tolerances == {}
    extracted = load_policy(grab / "extracted.yaml")
    assert (extracted.rule, extracted.parsing) == ("exact", "extracted")
    assert extracted.extractor == "extractor"
    short = 'suite: grab\ndescription: "A test."\nparsing: text\nrule: exact\n'
    assert load_policy(write(tmp_path, short)).description == "A test."
    for text, said in (
        (short + "rows: []\n", "rule exact has no tolerances; remove rows"),
        (
            short.replace("text", "tolerant"),
            "rule exact cannot judge this parsing; write parsing: t",
        ),
        (FULL.replace("parsing: tolerant", "parsing: text"), "rule tolerance cannot judge"),
        (short.replace("rule: exact\n", ""), "rule is missing"),
        (short.replace("text", "extracted"), "go together; add extractor: a label under models"),
        (short + "extractor: x\n", "go together; add parsing: extracted"),
        (short + "extractor: 3\n", "extractor is 3; write one line of text"),
    ):
        with pytest.raises(PlotChainError, match=said):
            load_policy(write(tmp_path, text, "other"))


@pytest.mark.parametrize("name", ["plotread", "strict", "plotread-paper-parsing"])
def test_policies_that_ship(name: str) -> None:
    policy = load_policy(FOLDER / f"{name}.yaml")
    assert policy.parsing == ("paper" if "paper" in name else "tolerant")
    assert len(policy.tolerances) == 51
    strict = load_policy(FOLDER / "strict.yaml")
    for pair, (absolute, relative) in strict.tolerances.items():  # never looser than plotread
        assert absolute <= policy.tolerances[pair][0]
        assert relative <= policy.tolerances[pair][1]


@pytest.mark.parametrize("name", ["plotread", "strict"])
def test_rows_equal_the_published_table(name: str) -> None:
    folder = os.environ.get("PLOTCHAIN_REFERENCE")
    if not folder:
        pytest.skip("PLOTCHAIN_REFERENCE is not set: the published tables are not at hand")
    reference = Path(folder) / "plotchain"
    with (reference / "tolerances.csv").open(encoding="utf-8") as stream:
        table = {
            (row["family"], row["field"]): (float(row[f"{name}_abs"]), float(row[f"{name}_rel"]))
            for row in csv.DictReader(stream)
        }
    lines = (reference / "plotchain.jsonl").read_text(encoding="utf-8").splitlines()
    used = {(r["type"], f) for r in map(json.loads, lines) for f in r["ground_truth"]}
    policy = load_policy(FOLDER / f"{name}.yaml")
    assert policy.tolerances == {pair: table[pair] for pair in used & set(table)}
    assert len(default_pairs(policy, used)) == 7


DECISIONS = """suite: matplotgym
description: d
parsing: figure
rule: decisions
weights: {encoding: 1}
solved_at: 0.9
"""


def test_weights_and_the_bound_of_solving(tmp_path: Path) -> None:
    path = tmp_path / "p.yaml"
    path.write_text(DECISIONS)
    found = load_policy(path)
    assert (found.weights, found.solved_at, found.tolerances) == ({"encoding": 1.0}, 0.9, {})
    shipped = load_policy(FOLDER.parent / "matplotgym/equal.yaml")
    assert set(shipped.weights.values()) == {1.0} and shipped.solved_at == 0.95
    assert sum(load_policy(FOLDER.parent / "matplotgym/decisions.yaml").weights.values()) == (
        pytest.approx(1.0)
    )


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("{encoding: 1}", "3", "weights is no mapping"),
        ("{encoding: 1}", "{encoding: 0}", "weights are all 0"),
        ("{encoding: 1}", "{encoding: -1}", "weights: encoding is -1"),
        ("0.9", "1.5", r"solved_at is 1.5; write a score in \(0, 1\]"),
        ("solved_at: 0.9\n", "", "solved_at is missing"),
        ("parsing: figure", "parsing: text", "cannot judge this parsing; write parsing: figure"),
        ("rule: decisions", "rule: exact", "rule exact weighs nothing; remove weights"),
        ("rule: decisions", "rule: decisions\nrows: []", "has no tolerances; remove rows"),
    ],
)
def test_faults_of_weights(tmp_path: Path, old: str, new: str, said: str) -> None:
    path = tmp_path / "p.yaml"
    path.write_text(DECISIONS.replace(old, new))
    with pytest.raises(PlotChainError, match=said) as caught:
        load_policy(path)
    assert "\n" not in str(caught.value)
