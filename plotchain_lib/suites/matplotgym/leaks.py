"""Four static scans of a task for what would give its answer away.

Each scan returns its findings, one line each: where, what, and how to mend it. They read files and
run nothing.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from plotchain_lib.suites.matplotgym.columns import header
from plotchain_lib.suites.matplotgym.task import Task

# Words that name a chart type, an axis assignment, a scale or an aggregation.
_CLAIM_WORDS = (
    r"bars?|bar charts?|scatter\w*|histograms?|box ?plots?|violins?|heat ?maps?|line plots?|"
    r"plott?\w*|charts?|figures?|panels?|subplots?|contours?|error bars?|error_bars?|"
    r"x-?axis|y-?axis|axis|axes|abscissa|ordinate|log-?scale|logarithmic|log-log|semi-?log\w*|"
    r"means?|medians?|averag\w*|summed|aggregat\w*|binned|bins?"
)
# Words in names of files and columns that tell of a conclusion or of finished statistics.
_NAME_WORDS = frozenset(
    "mean median average avg std stdev stderr sem ci lower upper aggregate aggregated summary "
    "result results conclusion effect winner best worst better worse improvement gain ratio fold "
    "versus vs compared comparison difference diff delta significant pvalue figure plot panel "
    "answer reference".split()
)
# Names published with the data that use such a word in another sense.
_PUBLISHED_NAMES = frozenset({"Delta 15 N (o/oo)", "Delta 13 C (o/oo)"})


def scan_task(task: Task) -> list[str]:
    """Findings of all four scans; empty where the task is clean."""
    return [f"{task.id}: {finding}" for found in scans(task).values() for finding in found]


def scans(task: Task) -> dict[str, list[str]]:
    """The findings of each scan, by its name."""
    return {
        "answer tokens": scan_answer_tokens(task),
        "derived columns": scan_derived_columns(task),
        "names": scan_names(task),
        "claim": scan_claim(task),
    }


def scan_answer_tokens(task: Task) -> list[str]:
    """Answer tokens in anything the agent can see: the claim, file names, every shipped file."""
    findings = []
    for where, text in _visible(task):
        for token in task.answer_tokens:
            if _contains(text, token):
                findings.append(f"{where}: answer token {token!r}: reword, or drop the text")
    return findings


def scan_derived_columns(task: Task) -> list[str]:
    """Shipped columns that bear a name of what the reference computes."""
    derived = {_normal(name) for name in task.derived_columns}
    if task.reference is not None:
        script = task.reference.read_text(encoding="utf-8")
        derived |= {_normal(name) for name in assigned_columns(script)}
    return [
        f"{file}: column {column!r} is computed by the reference: ship the raw rows only"
        for file, column in _columns(task)
        if _normal(column) in derived
    ]


def scan_names(task: Task) -> list[str]:
    """Names of files and columns that tell a conclusion, a comparison or a finished statistic."""
    names = [(file.path, Path(file.path).stem) for file in task.files]
    names += [(f"{file}: column", column) for file, column in _columns(task)]
    findings = []
    for where, name in names:
        if name in _PUBLISHED_NAMES:
            continue
        for word in sorted(_NAME_WORDS & set(_normal(name).split("_"))):
            findings.append(f"{where} {name!r} says {word!r}: use a neutral name")
    return findings


def scan_claim(task: Task) -> list[str]:
    """Words of the claim that list its own answer: chart types, axes, scales, aggregations."""
    found = re.findall(rf"\b(?:{_CLAIM_WORDS})\b", task.claim, flags=re.IGNORECASE)
    findings = [f"claim: {word!r} is a decision under test: reword" for word in found]
    if len(re.findall(r"[.!?](?:\s|$)", task.claim.strip())) != 1:
        findings.append("claim: not one sentence: state one")
    return findings


def _visible(task: Task) -> Iterator[tuple[str, str]]:
    yield "claim", task.claim
    for path in sorted(p for p in task.workspace.rglob("*") if p.is_file()):
        name = path.relative_to(task.workspace).as_posix()
        yield f"name of {name}", name
        yield name, path.read_text(encoding="utf-8", errors="replace")


def _contains(text: str, token: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(token)}(?!\w)", text, re.IGNORECASE) is not None


def _columns(task: Task) -> Iterator[tuple[str, str]]:
    for file in task.files:
        for column in header(task.workspace / file.path):
            yield file.path, column


def _normal(name: str) -> str:
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name)
    return re.sub(r"[^a-z0-9]+", "_", spaced.lower()).strip("_")


def assigned_columns(script: str) -> set[str]:
    """Names that a script assigns as columns: ``frame["name"] = ...`` and ``assign(name=...)``.

    Raises SyntaxError where the script is no Python.
    """
    names: set[str] = set()
    for node in ast.walk(ast.parse(script)):
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
            if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
                names.add(node.slice.value)
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", None) == "assign":
            names |= {keyword.arg for keyword in node.keywords if keyword.arg}
    return names
