from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from plotchain_lib.models.reader.inks import find_inks
from plotchain_lib.models.reader.rules import find_rules
from plotchain_lib.models.reader.seen import Rule

X = np.linspace(0, 10, 500)


def rules(seen: Any, jpeg: int | None = None) -> tuple[Rule, ...]:
    picture, box = seen.see(jpeg)
    return find_rules(picture, box, find_inks(picture, box))


@pytest.mark.parametrize("colour", ["black", "#888888", "#c0392b", "C0"])
def test_helper_lines_are_found_in_any_colour(plot: Callable[..., Any], colour: str) -> None:
    seen = plot()
    faint = {"alpha": 0.7} if colour == "C0" else {}
    seen.axes.plot(X, 5 + 3 * np.sin(X), lw=2)
    drawn = {"-": ("solid", 7.5, 7.2), "--": ("dashed", 3.3, 1.1), ":": ("dotted", 5.2, 9.1)}
    for pattern, (_, x, y) in drawn.items():
        seen.axes.axvline(x, color=colour, ls=pattern, lw=1.2, **faint)
        seen.axes.plot([0, 6], [y, y], color=colour, ls=pattern, lw=1.2, **faint)
    found = rules(seen)
    assert len(found) == 6
    for name, x, y in drawn.values():
        (across,), (down,) = seen.place(x, y)
        for direction, place in (("vertical", across), ("horizontal", down)):
            # Matplotlib draws such lines at whole pixels.
            (rule,) = (r for r in found if r.direction == direction and abs(r.place - place) < 0.6)
            assert rule.pattern == name
            end = seen.place(6, 0)[0][0] if direction == "horizontal" else 329
            assert rule.end == pytest.approx(end, abs=8)


def test_a_guide_from_the_axes_to_a_dot_is_found(plot: Callable[..., Any]) -> None:
    seen = plot()
    seen.axes.plot(X, 8 - 0.07 * X**2, lw=2)
    seen.axes.plot([0, 6, 6], [5.48, 5.48, 0], color="0.45", ls="--", lw=1)
    seen.axes.plot([6], [5.48], "o", color="tab:orange")
    level, upright = rules(seen)
    (x,), (y,) = seen.place(6, 5.48)
    assert (level.place, upright.place) == pytest.approx((y, x), abs=0.7)
    assert level.end < x
    assert upright.start == pytest.approx(y, abs=12)


@pytest.mark.parametrize("colour", ["C0", "#777777"])
def test_the_curves_own_straight_parts_are_no_rules(plot: Callable[..., Any], colour: str) -> None:
    seen = plot(limits=(0, 10, 0, 30))
    seen.axes.plot(X, np.clip(4 * (X - 5), -6, 6) + 22, color=colour, lw=2)
    seen.axes.plot(X, 8 + np.where(np.sin(2 * X) > 0, 4, -4), color=colour, lw=2)
    assert rules(seen) == ()


def test_a_floor_with_spikes_is_no_rule(plot: Callable[..., Any]) -> None:
    seen = plot()
    y = np.full(600, 1.0)
    y[[150, 400]] = 8.0, 6.0
    seen.axes.plot(np.linspace(0, 10, 600), y, lw=1.2)
    assert rules(seen) == ()


def test_axis_lines_without_a_curve_are_rules(plot: Callable[..., Any]) -> None:
    seen = plot()
    seen.axes.axhline(4, color="C0")
    seen.axes.axvline(6, color="C0")
    seen.axes.plot([2], [7], "x", color="C0", ms=9)
    assert [rule.direction for rule in rules(seen)] == ["horizontal", "vertical"]


@pytest.mark.parametrize("style", ["ggplot", "dark_background"])
def test_grids_are_no_rules_but_a_line_over_them_is(plot: Callable[..., Any], style: str) -> None:
    seen = plot(style, **{"axes.grid": True})
    seen.axes.plot(X, 5 + 3 * np.sin(X), lw=2)
    seen.axes.axvline(4.7, color="#e0218a", ls="--", lw=1.2)
    (rule,) = rules(seen)
    assert rule.place == pytest.approx(seen.place(4.7, 0)[0][0], abs=0.6)


def test_frames_and_lines_of_text_are_no_rules(plot: Callable[..., Any]) -> None:
    seen = plot()
    seen.axes.plot(X, 0.5 * X, lw=2)
    seen.axes.text(1, 8, "a text in a box", bbox={"facecolor": "white", "edgecolor": "gray"})
    seen.axes.text(1, 1, "mm nn mm nn mm nn mm nn mm", fontsize=8)
    assert rules(seen) == ()


def test_dashes_survive_jpeg(plot: Callable[..., Any]) -> None:
    seen = plot()
    seen.axes.plot(X, 5 + 3 * np.sin(X), lw=2)
    seen.axes.axvline(4.3, color="#555555", ls=":", lw=1.5)
    seen.axes.axhline(9.2, color="#c0392b", ls="--", lw=1.5)
    found = rules(seen, jpeg=60)
    (x,), (y,) = seen.place(4.3, 9.2)
    assert [rule.place for rule in found] == pytest.approx([y, x], abs=1.0)
