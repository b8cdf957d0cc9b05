"""A calibrated picture, and what is inside its axes: each part looked for when first asked for."""

from __future__ import annotations

from functools import cached_property
from typing import Literal

from plotchain_lib.models.reader.calibration import calibrate
from plotchain_lib.models.reader.frame import find_frame
from plotchain_lib.models.reader.inks import find_inks
from plotchain_lib.models.reader.markers import find_markers
from plotchain_lib.models.reader.picture import decode
from plotchain_lib.models.reader.rules import find_rules
from plotchain_lib.models.reader.seen import Axis, Box, Curve, Ink, Marker, Picture, Rule, Text
from plotchain_lib.models.reader.texts import find_texts, read_label
from plotchain_lib.models.reader.trace import find_curve


class Scene:
    """What the families' readers look at."""

    def __init__(self, picture: Picture, box: Box, x: Axis, y: Axis) -> None:
        """Parts inside the axes are not looked for yet."""
        self.picture, self.box, self.x, self.y = picture, box, x, y

    @cached_property
    def inks(self) -> tuple[Ink, ...]:
        """The colours inside the axes, the grid's and the face's left out; most ink first."""
        return find_inks(self.picture, self.box)

    @cached_property
    def curve(self) -> Curve:
        """The main line. Raises UnreadableError where there is none."""
        return find_curve(self.picture, self.box, self.inks)

    @cached_property
    def markers(self) -> tuple[Marker, ...]:
        """Dots, rings and crosses, from left to right."""
        return find_markers(self.picture, self.box, self.inks)

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """Straight helper lines."""
        return find_rules(self.picture, self.box, self.inks)

    @cached_property
    def texts(self) -> tuple[Text, ...]:
        """Texts inside the axes, recognised."""
        return find_texts(self.picture, self.box, self.inks)

    def label(self, axis: Literal["x", "y"]) -> str:
        """An axis' own label, for its unit; empty where none is found."""
        return read_label(self.picture, self.box, axis)


def see(data: bytes) -> Scene:
    """Decode, find the frame, calibrate. Raises UnreadableError with the reason."""
    picture = decode(data)
    box = find_frame(picture)
    x, y = calibrate(picture, box)
    return Scene(picture, box, x, y)
