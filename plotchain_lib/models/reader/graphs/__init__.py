"""Questions about graphs: one short text answers each, read from the picture and the question.

The question is recognised by its wording (`question`), the picture taken apart by its colours
(`colours`), a line is fitted by what it may be (`curves`), a series by its marks (`spots`), and the
value written where its error leaves no doubt (`writing`). One module a kind of question: `kinds`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from plotchain_lib.models.reader.graphs.colours import Drawing, find_drawing
from plotchain_lib.models.reader.graphs.curves import find_graph
from plotchain_lib.models.reader.graphs.kinds import OF_FUNCTIONS, OF_SERIES, counting, equations
from plotchain_lib.models.reader.graphs.kinds.stationary import KINDS as STATIONARY
from plotchain_lib.models.reader.graphs.kinds.stationary import turns
from plotchain_lib.models.reader.graphs.operations import plane
from plotchain_lib.models.reader.graphs.question import Question
from plotchain_lib.models.reader.graphs.spots import Spots, find_spots
from plotchain_lib.models.reader.graphs.strokes import find_strokes
from plotchain_lib.models.reader.graphs.view import OFF, View
from plotchain_lib.models.reader.graphs.writing import pair, rounded
from plotchain_lib.models.reader.lines import require_linear
from plotchain_lib.models.reader.picture import contrast_to
from plotchain_lib.models.reader.scene import Scene
from plotchain_lib.models.reader.seen import Array, UnreadableError

Measure = Callable[[str, Array], float]

_MOST_UNKNOWN = 12  # pixels of something else: more may be a line or a mark
_DRAWN = 25.0  # of 255: contrast to the face of what may hide a line, be it a grid's
_THIN = 3.0  # pixels: thinner lines have a flat colour only here and there
_OWN = 0.2  # opacity of a line's own pixels


def read(scene: Scene, question: Question) -> str:
    """The answer's text. Raises UnreadableError where it cannot be established."""
    require_linear(scene.x, scene.y)
    if question.subject == "counts":
        return str(counting.count(question.name, _series(scene, several=True, placed=False)))
    if question.subject == "series":
        value, error = _of_series(scene, question)
        return rounded(value, error, question.precision)
    if question.precision == "equation":
        (view,) = _views(scene, question, (question.form,))
        return equations.measure(question.form, view)
    if question.precision == "pair":
        (view,) = _views(scene, question, STATIONARY[question.name])
        found = turns(view)
        if len(found) != 2:
            raise UnreadableError(f"the curve has {len(found)} stationary points, not two")
        return pair(*found)
    value, error = _of_functions(scene, question)
    return rounded(value, error, question.precision)


def _drawing(scene: Scene, several: bool) -> Drawing:
    """The flat colours; where there are none, or only fragments, what `_thin` finds."""
    drawing = find_drawing(scene.picture, scene.box)
    if several and drawing.unknown > _MOST_UNKNOWN:
        raise UnreadableError("something is drawn in a colour of its own that cannot be told")
    return drawing if drawing.inks else _thin(scene)


def _thin(scene: Scene) -> Drawing:
    """The ink of a single curve that is too thin for a flat colour all along."""
    inks = scene.inks[:1]
    if not inks:
        raise UnreadableError("nothing is drawn inside the axes")
    (ink,) = inks
    rows, columns = scene.box.inside()
    owner = (contrast_to(scene.picture.rgb[rows, columns], scene.box.face) > _DRAWN) * np.uint8(2)
    owner[ink.opacity > _OWN] = 1
    return Drawing(inks, owner.astype(np.uint8), ink.left, ink.top)


def _views(scene: Scene, question: Question, kinds: tuple[str, ...]) -> list[View]:
    """Every function of the picture. Raises UnreadableError where one is in doubt."""
    drawing = _drawing(scene, question.several)
    if not question.several and len(drawing.inks) != 1:
        raise UnreadableError(f"one curve was expected, there are {len(drawing.inks)} colours")
    strokes = find_strokes(drawing.inks)
    if not question.several and strokes[0].width < _THIN:
        drawing = _thin(scene)
        strokes = find_strokes(drawing.inks)
    whole = plane(question.steps)
    return [View(find_graph(stroke, kinds, drawing), scene.x, scene.y, whole) for stroke in strokes]


def _of_functions(scene: Scene, question: Question) -> tuple[float, float]:
    """The mean over all functions, and how far it may be off."""
    module = OF_FUNCTIONS[question.name]
    views = _views(scene, question, module.KINDS[question.name])
    values, errors = [], []
    for view in views:
        if question.name in module.ENDS and not view.graph.whole:
            raise UnreadableError("a line has gaps: where it ends is uncertain")
        value = module.measure(question.name, view)
        others = [module.measure(question.name, other) for other in view.nearby()]
        values.append(value)
        errors.append(float(np.abs(np.array(others) - value).sum()))
    return float(np.mean(values)), float(np.mean(errors))


def _series(scene: Scene, several: bool, placed: bool = True) -> list[Spots]:
    side = max(scene.box.right - scene.box.left, scene.box.bottom - scene.box.top)
    return [find_spots(ink, side, placed) for ink in _drawing(scene, several).inks]


def _of_series(scene: Scene, question: Question) -> tuple[float, float]:
    """The mean over all series, and how far it may be off."""
    series = _series(scene, question.several)
    if not question.several and len(series) != 1:
        raise UnreadableError(f"one series was expected, there are {len(series)}")
    measure = OF_SERIES[question.name].measure_series
    values, errors = [], []
    for spots in series:
        points = np.column_stack([scene.x.value(spots.x), scene.y.value(spots.y)])
        value = measure(question.name, points)
        values.append(value)
        errors.append(_spread(measure, question.name, points, scene, value))
    return float(np.mean(values)), float(np.mean(errors))


def _spread(measure: Measure, name: str, points: Array, scene: Scene, value: float) -> float:
    """How far a statistic may be off: all points moved, spread or brought together a little."""
    off = OFF * np.array([abs(scene.x.gain), abs(scene.y.gain)])
    ranks = np.argsort(np.argsort(points, axis=0), axis=0)
    ways = (np.ones_like(points), np.sign(points - points.mean(axis=0)), (-1.0) ** ranks)
    others = [measure(name, points + sign * off * way) for way in ways for sign in (1.0, -1.0)]
    return float(np.abs(np.array(others) - value).max())
