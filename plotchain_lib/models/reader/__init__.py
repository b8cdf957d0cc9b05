"""The ceiling: reads the numbers from the pixels alone, on a CPU, without a key.

It is given what any model is given, the picture, the prompt and the names of the fields. The names
say what kind of plot it is; how each kind is read is in `families`. What it cannot read it answers
with null, and says why in ``received["reasons"]``; what it saw on the way is in
``received["seen"]`` (see `record`), from which `overlay` draws.

A question about a graph has one answer, a short text: it is told from the prompt (`graphs`), and
where it cannot be established the text is empty.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plotchain_lib.item import Item, Request, Response
from plotchain_lib.models import check_names

if TYPE_CHECKING:  # the parts that look at pixels load SciPy and the recogniser: only to answer
    from plotchain_lib.models.reader.scene import Scene
    from plotchain_lib.models.reader.seen import Reading

sees_picture = True
runs_in_pool = True


def check(settings: Mapping[str, Any]) -> None:
    """It has no settings."""
    check_names(settings, required=set(), optional=set())


def material(source: Path, item: Item) -> Mapping[str, Any] | None:
    """Nothing but the picture."""
    return {}


def answer(request: Request) -> Response:
    """One JSON object with every requested field: a number, or null where it cannot be read.

    Or the one text, where a question about a graph asks for it; empty where it cannot be read.
    """
    from plotchain_lib.models.reader.record import record

    started = time.perf_counter()
    scene, reading = look(request.picture or b"", request.prompt, request.fields)
    values = json.dumps({name: reading.values.get(name) for name in request.fields})
    return Response(
        "answered",
        text=values if reading.text is None else reading.text,
        latency_s=time.perf_counter() - started,
        served_model="reader",
        received={"reasons": dict(reading.reasons), "seen": record(scene, reading)},
    )


def look(data: bytes, prompt: str, fields: tuple[str, ...]) -> tuple[Scene | None, Reading]:
    """The calibrated scene, None where it could not be calibrated, and the values of `fields`."""
    from plotchain_lib.models.reader.families import find_family
    from plotchain_lib.models.reader.scene import see
    from plotchain_lib.models.reader.seen import Reading, UnreadableError

    scene = None
    if fields == ("answer",):
        return _look_at_graph(data, prompt)
    try:
        read = find_family(fields)
        scene = see(data)
        reading = read(scene, prompt)
    except UnreadableError as error:
        reading = Reading({}, dict.fromkeys(fields, str(error)))
    return scene, _complete(reading, fields)


def _look_at_graph(data: bytes, prompt: str) -> tuple[Scene | None, Reading]:
    """The scene and the text that answers a question about a graph, empty with a reason."""
    from plotchain_lib.models.reader import graphs
    from plotchain_lib.models.reader.graphs.question import recognise
    from plotchain_lib.models.reader.scene import see
    from plotchain_lib.models.reader.seen import Reading, UnreadableError

    scene = None
    try:
        question = recognise(prompt)
        if question is None:
            raise UnreadableError("the wording of the question is not known")
        scene = see(data)
        return scene, Reading({}, text=graphs.read(scene, question))
    except UnreadableError as error:
        return scene, Reading({}, {"answer": str(error)}, text="")


def _complete(reading: Reading, fields: tuple[str, ...]) -> Reading:
    """Every asked field and no other, each a finite number to six digits, or None with a reason."""
    from plotchain_lib.models.reader.seen import Reading

    values: dict[str, float | None] = {}
    reasons: dict[str, str] = {}
    for name in fields:
        value = reading.values.get(name)
        if value is not None and math.isfinite(value):
            values[name] = float(f"{value:.6g}")
        else:
            values[name] = None
            reasons[name] = reading.reasons.get(name, "not found in the picture")
    points = {name: place for name, place in reading.points.items() if name in values}
    return Reading(values, reasons, points)
