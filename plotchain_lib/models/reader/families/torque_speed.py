"""A DC motor's torque against its speed: a straight line, and a dot on it."""

from __future__ import annotations

from plotchain_lib.models.reader.fit import pixel_unit
from plotchain_lib.models.reader.lines import Line, dot_on, require_linear, straight
from plotchain_lib.models.reader.quantities import find_quantity
from plotchain_lib.models.reader.scene import Scene
from plotchain_lib.models.reader.seen import Reading, UnreadableError

FIELDS = frozenset({"stall_torque_nm", "no_load_speed_rpm", "cp_torque_at_speed_q_nm"})


def read(scene: Scene, prompt: str) -> Reading:
    """Where the line meets both axes' zeros, and its height at the dot.

    Raises:
        UnreadableError: there is no falling straight line.
    """
    require_linear(scene.x, scene.y)
    line = straight(scene.curve)
    rest, idle = float(scene.x.place(0.0)), float(scene.y.place(0.0))
    no_load = line.crossing(idle)
    values: dict[str, float | None] = {
        "stall_torque_nm": float(scene.y.value(line.height(rest))),
        "no_load_speed_rpm": float(scene.x.value(no_load)),
    }
    if min(values["stall_torque_nm"] or 0.0, values["no_load_speed_rpm"] or 0.0) <= 0.0:
        raise UnreadableError("the line does not fall from stall to no load")
    points: dict[str, tuple[float | None, float | None]] = {
        "stall_torque_nm": (rest, line.height(rest)),
        "no_load_speed_rpm": (no_load, idle),
    }
    name = "cp_torque_at_speed_q_nm"
    query = _query(scene, line)
    if query is None:
        return Reading(values | {name: None}, {name: "no dot marks the query speed"}, points)
    torque = float(scene.y.value(line.height(query)))
    return Reading(values | {name: torque}, points=points | {name: (query, line.height(query))})


def _query(scene: Scene, line: Line) -> float | None:
    """The query speed's place: the dot's, or where it is hidden that of the printed speed."""
    dot = dot_on(scene.markers, line.height, pixel_unit(scene.curve))
    if dot is not None:
        return dot.x
    for text in scene.texts:
        speed = find_quantity(text.text, "n", "rpm")
        if speed is not None:
            return float(scene.x.place(speed))
    return None
