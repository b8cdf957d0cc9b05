"""Answers and scores of all models as two tidy tables, with a dictionary of their columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from plotchain_lib.exports.folders import whole_folder
from plotchain_lib.files import write_atomically, write_json
from plotchain_lib.item import ANSWER_COLUMNS, SCORE_COLUMNS, PlotChainError
from plotchain_lib.score import TEXT_COLUMNS
from plotchain_lib.weighing import WEIGHED_COLUMNS


class Column(NamedTuple):
    """What a column holds.

    Attributes:
        type: its type in Parquet.
        unit: the unit of its numbers; empty where they have none.
        meaning: what a value says, and what a null says.
    """

    type: pa.DataType
    unit: str
    meaning: str


_TEXT, _NUMBER = pa.string(), pa.float64()
COLUMNS: Mapping[str, Column] = {
    "dataset": Column(_TEXT, "", "label of the dataset"),
    "parsing": Column(_TEXT, "", "how replies were read; the same calls stand under every parsing"),
    "policy": Column(_TEXT, "", "how answers were judged; the same calls stand under every policy"),
    "model": Column(_TEXT, "", "label of the model"),
    "item": Column(_TEXT, "", "id of the item, unique in its dataset"),
    "repeat": Column(pa.int64(), "", "counts from 1"),
    "shard": Column(_TEXT, "", "unit of generation, for plotchain the family"),
    "group": Column(_TEXT, "", "what results are broken down by"),
    "difficulty": Column(_TEXT, "", "the suite's own word for how hard the item is"),
    "scope": Column(_TEXT, "", "final, or checkpoint for a step on the way"),
    "field": Column(_TEXT, "", "name of the requested value"),
    "value": Column(_NUMBER, "of the field", "the number answered; null where there is none"),
    "text": Column(_TEXT, "", "the text answered, where the suite asks for texts; else empty"),
    "form": Column(_TEXT, "", "the form in which the answer was found in the reply"),
    "outcome": Column(
        _TEXT,
        "",
        "how the call ended: answered, refused, blocked, truncated, empty, rejected, or pending "
        "for a call that is still to be made",
    ),
    "latency_s": Column(_NUMBER, "s", "of the whole call, in each of its rows; null if unknown"),
    "input_tokens": Column(_NUMBER, "tokens", "of the whole call, in each of its rows"),
    "output_tokens": Column(_NUMBER, "tokens", "of the whole call, in each of its rows"),
    "cost_usd": Column(_NUMBER, "US dollars", "of the whole call, in each of its rows"),
    "truth": Column(_NUMBER, "of the field", "the true value; null where it is no number"),
    "derived": Column(
        _NUMBER, "of the field", "recomputed from the same answer's other fields; null if it cannot"
    ),
    "abs_err": Column(_NUMBER, "of the field", "|value - truth|; null without a value"),
    "rel_err": Column(_NUMBER, "", "abs_err as a fraction of |truth|; null without a value"),
    "abs_tol": Column(_NUMBER, "of the field", "passes if abs_err is no more; null for texts"),
    "rel_tol": Column(_NUMBER, "", "passes if rel_err is no more; null for texts"),
    "score": Column(_NUMBER, "", "what the answer is worth, from 0 to 1"),
    "passed": Column(pa.bool_(), "", "whether the answer is right under the policy"),
    "written": Column(_TEXT, "", "the beginning of what was written, at most 200 characters"),
    "expected": Column(_TEXT, "", "the one right text"),
    "precision": Column(_TEXT, "", "the precision the text is asked in"),
    "weight": Column(_NUMBER, "", "the decision's share of its item's score"),
    "item_score": Column(_NUMBER, "", "the call's item: mean of its decisions' scores by weight"),
    "reached": Column(_NUMBER, "", "1 if the call's item score reaches the policy's bound, else 0"),
    "solved": Column(_NUMBER, "", "1 if every repeat of the model solved the item, else 0"),
    "lost": Column(_TEXT, "", "why the decision has not all its points; empty if it has"),
}
_TABLES: Mapping[str, str] = {
    "answers": "one row per parsing, model, item, repeat and field: what was read from the reply",
    "scores": "one row per policy, model, item, repeat and field: what the answer is worth",
}


def write_results(
    folder: Path, answers: Mapping[str, Sequence[Path]], scores: Sequence[Path]
) -> None:
    """Write ``answers.parquet``, ``scores.parquet`` and ``data_dictionary.json`` and ``.md``.

    Args:
        folder: where; it appears whole.
        answers: parsing to the tables of its answers, one a model.
        scores: the tables of scores, one a policy.

    Raises PlotChainError for a table without one of its columns.
    """
    marked = [(path, {"parsing": parsing}) for parsing, paths in answers.items() for path in paths]
    judged = [(path, dict[str, str]()) for path in scores]
    own = (*TEXT_COLUMNS, *WEIGHED_COLUMNS)
    extra = [c for c in own if any(c in pq.read_schema(path).names for path in scores)]
    columns = {
        "answers": ("dataset", "parsing", *ANSWER_COLUMNS[1:]),
        "scores": (*SCORE_COLUMNS, *extra),
    }
    with whole_folder(folder) as temporary:
        _write(temporary / "answers.parquet", columns["answers"], marked)
        _write(temporary / "scores.parquet", columns["scores"], judged)
        write_json(temporary / "data_dictionary.json", dictionary(columns))
        write_atomically(temporary / "data_dictionary.md", dictionary_page(columns))


def _write(
    path: Path, names: Sequence[str], parts: Iterable[tuple[Path, Mapping[str, str]]]
) -> None:
    """One table after the other into one file, each with its constant columns."""
    schema = pa.schema([(name, COLUMNS[name].type) for name in names])
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for source, constants in parts:
            table = pq.read_table(source)
            for name, value in constants.items():
                table = table.append_column(name, pa.array([value] * len(table), pa.string()))
            if missing := [name for name in names if name not in table.column_names]:
                raise PlotChainError(
                    f"{source}: column {missing[0]!r} is missing; delete the file and run again"
                )
            writer.write_table(table.select(names).replace_schema_metadata(None).cast(schema))


def dictionary(columns: Mapping[str, Sequence[str]]) -> dict[str, dict[str, object]]:
    """Table to its description and, per column, type, unit and meaning."""
    return {
        table: {
            "rows": _TABLES[table],
            "columns": {
                name: {**COLUMNS[name]._asdict(), "type": str(COLUMNS[name].type)} for name in names
            },
        }
        for table, names in columns.items()
    }


def dictionary_page(columns: Mapping[str, Sequence[str]]) -> str:
    """The same as a page of Markdown."""
    parts = ["# Data dictionary\n"]
    for table, names in columns.items():
        rows = "".join(
            f"| `{name}` | {COLUMNS[name].type} | {COLUMNS[name].unit} "
            f"| {COLUMNS[name].meaning.replace('|', chr(92) + '|')} |\n"
            for name in names
        )
        parts.append(
            f"\n## {table}.parquet\n\n{_TABLES[table].capitalize()}.\n\n"
            f"| column | type | unit | meaning |\n|---|---|---|---|\n{rows}"
        )
    return "".join(parts)
