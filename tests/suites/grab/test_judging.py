"""How replies are read, and verdicts on them, by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from plotchain_lib import suites
from plotchain_lib.item import ANSWER_COLUMNS, SCORE_COLUMNS, Field, Item, PlotChainError
from plotchain_lib.metrics import metrics
from plotchain_lib.parse import extraction_items, parse_responses, run_facts
from plotchain_lib.policy import load_policy
from plotchain_lib.score import TEXT_COLUMNS, match_rule, score_texts, text_truth_table
from plotchain_lib.statistics import significance
from plotchain_lib.suites.grab.judging import extraction_prompt, match, read_reply

POLICIES = Path(__file__).parents[3] / "config" / "policies" / "grab"
FIELD = Field("answer", "", "", "final")
# Truth, precision, reply; right under exact, prefix, lenient.
KNOWN = (
    ("-9", "integer", "-9", (1, 1, 1)),
    ("-3", "integer", "\n  -3", (1, 1, 1)),
    ("4", "integer", "The mean of the 3 functions is 4.", (0, 0, 1)),
    ("2.5", "one_decimal", "2.50", (0, 1, 1)),
    ("5", "integer", "5.0", (0, 1, 1)),
    ("8", "integer", "8\n", (0, 1, 1)),
    ("[-10, -3]", "pair", "[-10,-3]", (0, 0, 1)),
    ("y = 6x + 9", "equation", "y=6x+9", (0, 0, 1)),
    ("7", "integer", "3", (0, 0, 0)),
    ("1", "integer", "10", (0, 1, 0)),
    ("-120", "nearest_ten", "", (0, 0, 0)),
)


def items() -> list[Item]:
    return [
        Item(f"q{n}", "grab", "function_range", "function/range/range", "?", None, (FIELD,),
             {"answer": truth}, {"precision": precision}, 0, str(n % 10))
        for n, (truth, precision, *_) in enumerate(KNOWN)
    ]  # fmt: skip


def answers(model: str = "m") -> pd.DataFrame:
    rows = []
    for item, (_, _, reply, _) in zip(items(), KNOWN, strict=True):
        reading = read_reply(reply, item)
        outcome = "answered" if reply else "empty"
        rows.append(("d", model, item.id, 1, "answer", reading.values["answer"],
                     reading.texts["answer"], str(reading.form), outcome, 1.0, 1.0, 1.0, 0.0))  # fmt: skip
    return pd.DataFrame(rows, columns=list(ANSWER_COLUMNS)).astype({"value": float})


def judged(name: str, frame: pd.DataFrame | None = None) -> pd.DataFrame:
    policy = load_policy(POLICIES / f"{name}.yaml")
    rule = match(policy.rule) or match_rule(policy.rule)
    table = text_truth_table(items())
    return score_texts(answers() if frame is None else frame, table, policy, rule)


@pytest.mark.parametrize(("name", "place"), [("exact", 0), ("prefix", 1), ("lenient", 2)])
def test_known_answers_under_every_protocol(name: str, place: int) -> None:
    frame = judged(name)
    assert tuple(frame.columns) == (*SCORE_COLUMNS, *TEXT_COLUMNS)
    right = [verdicts[place] for *_, verdicts in KNOWN]
    assert frame["passed"].astype(int).tolist() == right
    assert frame["score"].tolist() == right
    assert set(frame["policy"]) == {name}
    row = metrics(frame).iloc[0]
    assert row["all_pass"] == row["field_pass_rate"] == sum(right) / len(KNOWN)


def test_columns_of_texts() -> None:
    frame = judged("exact")
    assert frame["truth"].tolist()[:4] == [-9.0, -3.0, 4.0, 2.5]
    assert frame["value"].tolist()[:4] == [-9.0, -3.0, 4.0, 2.5]
    assert frame["truth"].isna().tolist()[6:8] == [True, True]  # a pair and an equation
    assert frame["abs_err"].tolist()[8:10] == [4.0, 9.0]
    assert frame["written"].tolist()[1] == "\n  -3"
    assert frame["expected"].tolist()[7] == "y = 6x + 9"
    assert frame["precision"].tolist()[6] == "pair"
    assert frame[["abs_tol", "rel_tol", "derived"]].isna().all(axis=None)


def test_what_was_not_answered_is_wrong_whatever_its_text() -> None:
    frame = answers()
    frame["outcome"] = "refused"
    for name in ("exact", "prefix", "lenient"):
        verdicts = judged(name, frame)
        assert not verdicts["passed"].any()
        assert set(verdicts["written"]) == {""}


def test_significance_of_one_field_an_item() -> None:
    frame = pd.concat([judged("exact"), judged("exact", answers("n").assign(text="-9"))])
    record = significance(frame, 0.05, 200, 0, set())
    value = {(m["metric"], m["model"]): m for m in record["metrics"]}
    for model, right in (("m", 2), ("n", 1)):  # "-9" is right once
        entry = value["all_pass", model]
        assert (entry["passed"], entry["n"], entry["method"]) == (right, 11, "Wilson")
        assert value["field_pass_rate", model]["value"] == entry["value"]
    assert not any(metric.startswith("checkpoint") for metric, _ in value)
    pair = next(p for p in record["pairs"] if p["metric"] == "all_pass")
    # Both pass q0; m alone passes q1: one discordant item, p = 1 by the exact test.
    assert (pair["both"], pair["only_first"], pair["only_second"]) == (1, 1, 0)
    assert pair["p"] == 1.0


def test_forms_of_replies() -> None:
    integer, pair = items()[0], items()[6]
    assert read_reply("-9", integer).form == "direct"
    assert read_reply(" -9", integer).form == "direct"  # leading white space is no fault
    assert read_reply("-9.0", integer).form == "prose"
    assert read_reply("nobody knows", integer).form == "none"
    assert read_reply("[1, 2]", pair).form == "direct"
    assert read_reply("[1, 2]", pair).values == {"answer": None}
    assert read_reply("<think>it is -9", integer).truncated
    long = "x" * 5000 + " is -9"
    assert read_reply(long, integer).texts == {"answer": long}


def test_options_are_read_as_letters() -> None:
    item = Item("c", "grab", "s", "properties/range/range", "?", None, (FIELD,),
                {"answer": "B"}, {"precision": "choice", "options": ["1", "2", "3", "4", "5"]},
                0, "0")  # fmt: skip
    for reply, text, form in (
        ("B", "B", "direct"), ("(B)", "B", "prose"), ("The answer is B.", "B", "prose"),
        ("2", "B", "prose"), ("none of them", "none of them", "none"),
    ):  # fmt: skip
        reading = read_reply(reply, item)
        assert (reading.texts["answer"], str(reading.form)) == (text, form)


def test_extraction_prompt_gives_nothing_away() -> None:
    for item in items():
        text = extraction_prompt(item, "a reply")
        assert text.endswith("\na reply")
    # Items of one precision with other truths are sent the same text: it depends on no truth.
    assert extraction_prompt(items()[0], "x") == extraction_prompt(items()[8], "x")
    with pytest.raises(PlotChainError, match="no model reads replies here"):
        suites.judging("plotchain").extraction_prompt(items()[0], "")


def test_extractions_stand_in_for_replies(tmp_path: Path) -> None:
    def response(folder: str, item: str, outcome: str, text: str, model: str = "m") -> Path:
        path = tmp_path / folder / f"{item}.1.json"
        path.parent.mkdir(exist_ok=True)
        record = {"dataset": "d", "model": model, "item": item, "repeat": 1, "outcome": outcome,
                  "text": text, "latency_s": 2.0, "output_tokens": 7}  # fmt: skip
        path.write_text(json.dumps(record))
        return path

    asked = items()[:4]
    given = [("answered", "It is -9."), ("answered", "It is -3."), ("refused", ""),
             ("answered", "2.50")]  # fmt: skip
    replies = [response("m", i.id, *g) for i, g in zip(asked, given, strict=True)]
    copied = [("answered", " -9\n"), ("pending", ""), ("refused", ""),
              ("answered", "<think>two</think>2.5")]  # fmt: skip
    copies = [
        response("ex@m", i.id, *c, model="m" if c[0] == "refused" else "ex")
        for i, c in zip(asked, copied, strict=True)
    ]
    frame = parse_responses(replies, asked, "extracted", read_reply, copies)
    assert frame["text"].tolist() == ["-9", "", "", "2.5"]
    assert frame["outcome"].tolist() == ["answered", "pending", "refused", "answered"]
    assert set(frame["model"]) == {"m"}
    assert frame["latency_s"].tolist() == [2.0] * 4  # the model's own
    sent = extraction_items(replies, asked, lambda item, text: f"{item.id}: {text}")
    assert [(i.id, i.prompt) for i in sent] == [
        ("q0.1", "q0: It is -9."), ("q1.1", "q1: It is -3."), ("q3.1", "q3: 2.50"),
    ]  # fmt: skip
    assert {(i.picture, len(i.truth), len(i.params)) for i in sent} == {(None, 0, 0)}
    facts = run_facts([*replies, *copies])["models"]
    assert facts["m"]["responses"] == 4
    assert facts["ex"]["outcomes"] == {"answered": 2, "pending": 1}


def test_rules_and_faults() -> None:
    assert match("exact") is None
    assert suites.judging("plotchain").match("lenient") is None
    assert suites.judging("plotchain").reader("tolerant") is None
    with pytest.raises(
        PlotChainError, match="no match rule 'lenient' in this suite; use exact or prefix"
    ):
        match_rule("lenient")
    number = Item("n", "grab", "s", "g", "", None, (FIELD,), {"answer": 3.0}, {}, 0, "0")
    with pytest.raises(PlotChainError, match=r"item n: the truth of answer is 3.0, which is no te"):
        text_truth_table([number])
