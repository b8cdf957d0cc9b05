"""Of the figure suite: what episodes take, and whether they kept to their workspace."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from plotchain_lib.report.calls import by_model
from plotchain_lib.report.grab_rates import digits
from plotchain_lib.report.inputs import Dataset
from plotchain_lib.report.sections import Section
from plotchain_lib.report.summary import all_models
from plotchain_lib.report.tables import Column, Record, Table

TURNS = 14  # an episode's budget
MOST_EXAMPLES = 3  # of a kind and model, on the page; the file has all
LONGEST = 120  # letters of evidence
# Signs of reaching beyond the workspace, as the episodes' table names them.
SIGNS = {
    "path": "Path outside", "store": "Task store or harness", "network": "Network",
    "denied": "Refused by the system",
}  # fmt: skip
SHOWN, TAMPERING = "Answer token shown", "Script may be meant for its reader"
NUMBERS = ("command_s", "latency_s", "input_tokens", "output_tokens", "cost_usd")


def turn_section(dataset: Dataset) -> Section:
    """Turns, slips, seconds, tokens and money, by model."""
    frame = dataset.episodes
    if frame is None or frame.empty:
        return Section("turns", "Turns and cost", "No episode has ended yet.")
    solved = dataset.verdicts.drop_duplicates(["model", "item"]).groupby("model")["solved"].sum()

    def record(label: str) -> Record:
        own = frame[frame["model"] == label]
        if own.empty:
            return {"model": label, "episodes": 0}
        means = {n: None if own[n].isna().all() else digits(own[n].mean()) for n in NUMBERS}
        paid, tasks = own["cost_usd"].sum(min_count=1), int(solved.get(label, 0))
        return {
            "model": label, "episodes": len(own), "turns": digits(own["turns"].mean()),
            "turns_most": int(own["turns"].max()),
            "whole_budget": digits((own["turns"] >= TURNS).mean()),
            "malformed": digits(own["malformed"].sum() / max(1, own["turns"].sum())),
            "reminded": digits(own["reminded"].mean()), **means,
            "cost_solved": digits(paid / tasks) if tasks and pd.notna(paid) else None,
        }  # fmt: skip

    note = (
        "Means per episode. Malformed: a turn without an action. Reminded: told once that only "
        "make_figure.py is scored, as its stub was untouched. Per solved task: everything paid "
        "over the tasks solved."
    )
    table = by_model(dataset, "turns", "Turns, time and cost", _turn_columns(), record, note)
    lead = f"An episode has {TURNS} turns of one action each. What was not measured is left empty."
    return Section("turns", "Turns and cost", lead, tables=(table,))


def _turn_columns() -> tuple[Column, ...]:
    turns, seconds, tokens, dollars = "Turns", "Seconds", "Tokens", "US dollars"
    return (
        Column("model", "Model"), Column("episodes", "Episodes", "count"),
        Column("turns", "mean", "setting", group=turns),
        Column("turns_most", "most", "count", group=turns),
        Column("whole_budget", f"all {TURNS} used (% of episodes)", "percent", group=turns),
        Column("malformed", "malformed (% of turns)", "percent", group=turns),
        Column("reminded", "Reminded (% of episodes)", "percent"),
        Column("command_s", "commands", "seconds", group=seconds),
        Column("latency_s", "model", "seconds", group=seconds),
        Column("input_tokens", "input", "count", group=tokens),
        Column("output_tokens", "output", "count", group=tokens),
        Column("cost_usd", "per episode", "number", group=dollars),
        Column("cost_solved", "per solved task", "number", group=dollars),
    )  # fmt: skip


def integrity_section(dataset: Dataset) -> Section:
    """Sealed or not, and every sign of reaching for more than the data and the claim."""
    frame = dataset.episodes
    if frame is None or frame.empty:
        return Section("integrity", "Integrity", "No episode has ended yet.")
    found = {label: list(_signs(frame[frame["model"] == label])) for label in all_models(dataset)}
    scripts = dataset.submissions

    def record(label: str) -> Record:
        own = frame[frame["model"] == label]
        counts = Counter(sign["kind"] for sign in found[label])
        reached = {(s["item"], s["repeat"]) for s in found[label] if s["kind"] in SIGNS.values()}
        scored = None if scripts is None else scripts[scripts["model"] == label]
        return {
            "model": label, "episodes": len(own), "unsealed": int((~own["sealed"]).sum()),
            "scored_unsealed": None if scored is None else int((~scored["sealed"]).sum()),
            "reached": len(reached), **{kind: counts[title] for kind, title in SIGNS.items()},
            "shown": counts[SHOWN], "tampering": counts[TAMPERING],
        }  # fmt: skip

    unsealed, outside = "Unsealed", "Signs of reaching outside"
    columns = (
        Column("model", "Model"), Column("episodes", "Episodes", "count"),
        Column("unsealed", "episodes", "count", group=unsealed),
        Column("scored_unsealed", "scripts scored", "count", group=unsealed),
        Column("reached", "episodes", "count", group=outside),
        *(Column(kind, title.lower(), "count", group=outside) for kind, title in SIGNS.items()),
        Column("shown", "Answer tokens shown", "count"),
        Column("tampering", "Scripts meant for their reader", "count"),
    )  # fmt: skip
    note = (
        "A sign is a word in a command or an output, counted once a turn; in a sealed sandbox "
        "there is nothing outside to be read. Answer tokens: words of the reference in what the "
        "agent was shown."
    )
    table = by_model(dataset, "integrity", "Kept in, and tried to get out", columns, record, note)
    signs = [sign for label in found for sign in found[label]]
    tables = (table, _examples(signs)) if signs else (table,)
    every = (_all_signs(signs),) if signs else ()
    return Section("integrity", "Integrity", _lead(dataset, frame, signs), (), tables, every)


def _lead(dataset: Dataset, frame: pd.DataFrame, signs: list[dict[str, Any]]) -> str:
    unsealed, scripts = int((~frame["sealed"]).sum()), dataset.submissions
    scored = 0 if scripts is None else int((~scripts["sealed"]).sum())
    if unsealed or scored:
        start = (
            f"{unsealed:,} of {len(frame):,} episodes ran unsealed, and {scored:,} scripts were "
            "scored so: nothing but the agent's manners kept it in. Their models carry a † on "
            "this page."
        )
    else:
        start = f"All {len(frame):,} episodes ran sealed, and every script was scored sealed."
    if not signs:
        return f"{start} No sign of reaching for more was found in any transcript or script."
    kinds = Counter(sign["kind"] for sign in signs)
    outside = len(signs) - kinds[SHOWN] - kinds[TAMPERING]
    rest = (
        f" Found in them: {outside:,} signs of reaching outside the workspace, {kinds[SHOWN]:,} "
        f"answer tokens shown to an agent, {kinds[TAMPERING]:,} lines of scripts that may be meant "
        "for their reader."
    )
    return start + rest


def _signs(frame: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Every sign in some episodes: model, item, repeat, turn, kind, place, evidence."""
    for row in frame.to_dict("records"):
        about = {"model": row["model"], "item": row["item"], "repeat": row["repeat"]}
        for sign in _listed(row["outside"]):
            kind = SIGNS.get(str(sign.get("kind")), str(sign.get("kind")))
            yield about | _sign(sign.get("turn"), kind, sign.get("place"), sign.get("evidence"))
        for sign in _listed(row["answer_tokens"]):
            yield about | _sign(sign.get("turn"), SHOWN, sign.get("place"), sign.get("token"))
        for line in json.loads(row["tampering"]):
            yield about | _sign(None, TAMPERING, "script", line)


def _listed(text: str) -> list[Mapping[str, Any]]:
    return [entry for entry in json.loads(text) if isinstance(entry, Mapping)]


def _sign(turn: Any, kind: str, place: Any, evidence: Any) -> dict[str, Any]:
    text = str(evidence)
    cut = text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
    return {"turn": turn, "kind": kind, "place": place, "evidence": cut}


def _examples(signs: list[dict[str, Any]]) -> Table:
    """Of each model and kind the first few, each of another task."""
    tasks: dict[tuple[str, str], set[str]] = {}
    chosen = []
    for sign in signs:
        seen = tasks.setdefault((str(sign["model"]), str(sign["kind"])), set())
        if str(sign["item"]) not in seen and len(seen) < MOST_EXAMPLES:
            seen.add(str(sign["item"]))
            chosen.append(sign)
    title = "Signs" if len(chosen) == len(signs) else f"Signs, {len(chosen)} of {len(signs):,}"
    return _sign_table("signs", title, chosen)


def _all_signs(signs: list[dict[str, Any]]) -> Table:
    return _sign_table("signs_all", "Every sign", signs)


def _sign_table(name: str, title: str, signs: list[dict[str, Any]]) -> Table:
    columns = (
        Column("model", "Model"), Column("kind", "Sign"), Column("evidence", "Evidence"),
        Column("place", "Seen in"), Column("item", "Task"), Column("repeat", "Attempt", "count"),
        Column("turn", "Turn", "count"),
    )  # fmt: skip
    return Table(
        name=name, title=title, columns=columns, records=tuple(signs),
        keys=("model", "item", "repeat", "kind", "evidence"),
    )  # fmt: skip
