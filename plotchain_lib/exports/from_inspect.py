"""A log of Inspect (``.eval``) as recorded answers: JSON Lines that ``kind: recorded`` replays.

    python -m plotchain_lib.exports.from_inspect LOG.eval OUT.jsonl

An item is a sample's id, a repeat its epoch. The log is read by Inspect itself, one sample at a
time. A sample that ended in an error, by a limit, at the token limit or by a content filter has
that as its ``error``.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any

from plotchain_lib.exports.judge import OUTCOME_OF_STOP
from plotchain_lib.files import one_line_errors, write_atomically
from plotchain_lib.item import PlotChainError


def record_of(sample: Any) -> dict[str, Any]:
    """One `inspect_ai.log.EvalSample` as a record of raw outputs.

    ``latency_s`` is the call's seconds as Inspect measured them. ``input_tokens`` counts what was
    read from and written to a cache too.
    """
    output = sample.output
    record: dict[str, Any] = {
        "id": str(sample.id),
        "repeat": sample.epoch,
        "model": output.model,
        "raw_text": output.completion,
        "latency_s": output.time,
        "error": _error(sample),
    }
    if usage := output.usage:
        cached = (usage.input_tokens_cache_read or 0) + (usage.input_tokens_cache_write or 0)
        record["usage"] = {
            "input_tokens": usage.input_tokens + cached,
            "output_tokens": usage.output_tokens,
        }
        if usage.total_cost is not None:
            record["cost_usd"] = usage.total_cost
    return record


def _error(sample: Any) -> str | None:
    """Why a sample brought no answer of its own; None where it did."""
    if sample.error:
        return f"rejected: {sample.error.message}"
    if sample.limit:
        return f"truncated: the sample's limit of {sample.limit.type}"
    if sample.output.error:
        return str(sample.output.error)
    if not sample.output.choices:
        return None
    stop = str(sample.output.stop_reason)
    return f"{OUTCOME_OF_STOP[stop]}: {stop}" if stop in OUTCOME_OF_STOP else None


def read_log(path: Path) -> list[dict[str, Any]]:
    """Every sample of a log as a record, by id and repeat.

    Raises PlotChainError where Inspect is not installed, the log is missing, cut off or no log of
    Inspect, holds no sample, or holds one twice.
    """
    try:
        from inspect_ai.log import read_eval_log_samples
    except ImportError as error:
        raise PlotChainError(
            "Inspect is not installed; add it with: pip install 'plotchain[exports]'"
        ) from error
    if not path.is_file():
        raise PlotChainError(f"{path}: there is no such log; check the path")
    try:
        # An interrupted run's log is good for what it holds.
        samples = read_eval_log_samples(
            path, all_samples_required=False, resolve_attachments="full"
        )
        records = [record_of(sample) for sample in samples]
    except Exception as error:  # whatever a broken archive makes Inspect raise
        words = " ".join(str(error).split())[:200]
        raise PlotChainError(
            f"{path}: not a whole log of Inspect ({type(error).__name__}: {words}); "
            "take the file from its source again"
        ) from error
    return _ordered(records, path)


def _ordered(records: Iterable[dict[str, Any]], path: Path) -> list[dict[str, Any]]:
    ordered = sorted(records, key=lambda record: (record["id"], record["repeat"]))
    if not ordered:
        raise PlotChainError(f"{path}: the log holds no sample; was the run started?")
    for one, other in pairwise(ordered):
        if (one["id"], one["repeat"]) == (other["id"], other["repeat"]):
            raise PlotChainError(
                f"{path}: item {one['id']!r} is there twice in epoch {one['repeat']}; "
                "run Inspect again with ids that differ"
            )
    return ordered


def write_recorded(path: Path, records: Iterable[dict[str, Any]]) -> None:
    """Write the records, one a line, in ASCII: a text may hold half a surrogate pair."""
    write_atomically(path, "".join(json.dumps(r, allow_nan=False) + "\n" for r in records))


def main(arguments: list[str] | None = None) -> None:
    """Read the log, write the records, say how many."""
    parser = argparse.ArgumentParser(
        prog="python -m plotchain_lib.exports.from_inspect",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("log", type=Path, metavar="LOG.eval")
    parser.add_argument("out", type=Path, metavar="OUT.jsonl")
    options = parser.parse_args(arguments)
    with one_line_errors():
        records = read_log(options.log)
        write_recorded(options.out, records)
    failed = sum(record["error"] is not None for record in records)
    sys.stdout.write(f"{options.out}: {len(records)} answers, {failed} of them with an error\n")


if __name__ == "__main__":
    main()
