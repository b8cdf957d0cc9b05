"""What an agent is told: once at the start, and after each turn. The same for every model."""

from __future__ import annotations

from collections.abc import Mapping

from plotchain_lib.suites.matplotgym.watch import Result

SUBMISSION = "make_figure.py"
SCHEMA = "data/SCHEMA.md"
TURNS = 14
SECONDS = 120

_PROMPT = """\
You are given a data set and a claim about it. Draw the figure that lets a reader judge the claim.

Claim: {claim}

# Your working directory

{listing}

data/SCHEMA.md says:

{schema}

# What you do

Write `{submission}`: a Python script that reads the data and draws one figure with Matplotlib. \
Only that script is scored. When you are done it is run once more, in a fresh copy of the working \
directory as it is now, and the figure it builds is read from the figure object: a saved picture \
or a printed text counts for nothing, and the script must not need any other file you made.

One action a turn, as a fenced block. There are four:

```bash
a shell command, run in the working directory
```

```python
a script that is run and thrown away
```

```write {submission}
the whole content of a file, here {submission}
```

```done
```

A reply holds one action; of several, only the first is done. After each action you are shown what \
it printed, long output without its middle. Every command starts anew: no variable lasts from one \
to the next, files do, and what is left running is ended. There is no network. You have {turns} \
turns, {seconds} seconds a command; `done`, or the end of the turns, ends the task. `python` has \
numpy, pandas and matplotlib and is the one that will run your script.

# How the figure is judged

Six decisions are compared with those of a reference figure; what the reference does not decide is \
not counted.

1. Data: which rows, which subset, which aggregation, which values are drawn.
2. Encoding: the kind of mark for each series, and what colour or size stand for.
3. Overlays: error bars, bands, fitted lines, reference lines that the claim is read against.
4. Panel layout: which comparisons share axes, and how panels are arranged.
5. Axis scales: linear or logarithmic, and whether panels share their limits.
6. Completeness: every series the claim needs. A missing series costs more than one too many.

What is not read: colours, fonts, sizes, line styles, tick placement, legend, titles, resolution, \
the order of series, and by which calls you draw.
"""

REMINDER = (
    f"`{SUBMISSION}` is still as it was given to you. Only that file is scored. "
    "Write it, or answer `done` again to end."
)


def prompt_text(claim: str, files: Mapping[str, bytes]) -> str:
    """The whole first message. `files`: the workspace, by path."""
    listing = "\n".join(f"{len(files[name]):>10,} {name}" for name in sorted(files))
    schema = files.get(SCHEMA, b"(there is no such file)").decode("utf-8", "replace").strip()
    return _PROMPT.format(
        claim=" ".join(claim.split()), listing=f"```text\n     bytes path\n{listing}\n```",
        schema=schema, submission=SUBMISSION, turns=TURNS, seconds=SECONDS,
    )  # fmt: skip


_STOPPED = {
    "time": "ended after {seconds:.0f} s: a command may take {limit} s",
    "memory": "ended: it took too much memory",
    "processes": "ended: it started too many processes",
    "output": "ended: it printed too much",
    "workspace": "ended: the working directory grew too large, and is what it was before",
}


def outcome_text(result: Result, seconds: float) -> str:
    """How a command ended, and what it printed."""
    if result.stopped:
        how = _STOPPED[result.stopped].format(seconds=result.seconds, limit=f"{seconds:.0f}")
    else:
        how = f"exit code {result.code}"
    output = result.output.rstrip("\n")
    return f"[{how}]\n{output}" if output else f"[{how}, no output]"


def told(text: str, turn: int, turns: int, note: str = "") -> str:
    """The message after a turn."""
    left = turns - turn
    count = f"Turn {turn} of {turns} is over; {left} {'is' if left == 1 else 'are'} left."
    return "\n\n".join(part for part in (note, text, count) if part)
