"""What local agents submit for a task: the reference, the lazy figures, and broken references.

A broken reference is drawn from the reference's spec with one decision changed, by a script that
carries the renderer with it, because no agent's script may import the library.
"""

from __future__ import annotations

import inspect
import json
import pprint
import re
from collections.abc import Mapping
from types import ModuleType
from typing import Any

from plotchain_lib.item import Item
from plotchain_lib.suites.matplotgym import renderer
from plotchain_lib.suites.matplotgym.agents import LAZY
from plotchain_lib.suites.matplotgym.catalogue import task_of
from plotchain_lib.suites.matplotgym.degrade import degrade
from plotchain_lib.suites.matplotgym.drawing import canvas, fields, marks, overlays
from plotchain_lib.suites.matplotgym.task import Task, shipped_spec
from plotchain_lib.suites.matplotgym.words import DECISIONS

# In the order in which they import each other.
_PARTS: tuple[ModuleType, ...] = (canvas, fields, marks, overlays, renderer)
_DRAWN = """\
import json

import matplotlib.pyplot as plt

SOURCES = json.loads({sources})
SPEC = json.loads({spec})

names = {{}}
for source in SOURCES:
    own = dict(names)
    exec(source, own)
    names.update((name, value) for name, value in own.items() if name[0] != "_")
figure = plt.figure()
names["render"](SPEC, figure)
figure.savefig("figure.png")
"""
_PACKAGE = __name__.partition(".")[0]
_IMPORT = re.compile(rf"^from {_PACKAGE}[\w.]* import (?:\([^)]*\)|.*)\n", re.MULTILINE)


def scripts(item: Item) -> dict[str, str]:
    """The name of each local agent to its script; where a decision cannot be broken, the reference.

    Raises PlotChainError for a task with a defect.
    """
    task = task_of(item)
    spec = shipped_spec(task)
    reference = reference_script(task)
    found = {"reference": reference, **LAZY}
    for decision in DECISIONS:
        broken = degrade(spec, decision) if decision in task.decisions else None
        found[f"degraded-{decision}"] = reference if broken is None else drawn(broken)
    return found


def reference_script(task: Task) -> str:
    """What draws a task's reference: its own script, or of an imported task its spec.

    Raises PlotChainError where the spec is missing.
    """
    if task.reference is None:
        return drawn(shipped_spec(task))
    return task.reference.read_text(encoding="utf-8")


def drawn(spec: Mapping[str, Any]) -> str:
    """A script that draws a spec with Matplotlib alone."""
    # Each part finds the public names of those before it in place of its imports.
    sources = [_IMPORT.sub("", inspect.getsource(part)) for part in _PARTS]
    return _DRAWN.format(sources=_literal(sources), spec=_literal(spec))


def _literal(value: Any) -> str:
    """A Python text literal, in lines of bearable length, that holds the value as JSON."""
    return pprint.pformat(json.dumps(value, allow_nan=False), width=100)
