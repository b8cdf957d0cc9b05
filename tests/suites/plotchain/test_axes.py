"""The axis each field is read on, by what the pictures' axes say."""

from __future__ import annotations

from dataclasses import replace

from plotchain_lib.suites.plotchain import families, suite

LOG = {
    *(("bandpass_response", field.name) for field in families.load("bandpass_response").fields),
    *(("sn_curve", field.name) for field in families.load("sn_curve").fields),
    ("bode_magnitude", "cutoff_hz"),
    ("bode_phase", "cutoff_hz"),
}


def test_fields_of_our_own_pictures() -> None:
    items = [item for name in families.names() for item in suite.items(name, 3, 2, {})]
    axes = suite.field_axes(items)
    assert set(axes) == {(item.group, field.name) for item in items for field in item.fields}
    assert {pair for pair, axis in axes.items() if axis == "log"} == LOG


def test_the_release_says_nothing_of_axes_and_has_a_linear_stress_axis() -> None:
    items = [replace(item, params={"K": 1.0}) for name in ("sn_curve", "bode_magnitude")
             for item in suite.items(name, 0, 1, {})]  # fmt: skip
    axes = suite.field_axes(items)
    assert {pair for pair, axis in axes.items() if axis == "log"} == {
        ("bode_magnitude", "cutoff_hz")
    }
    assert len(axes) == 3 + 4


def test_a_family_that_is_not_ours_has_no_known_axis() -> None:
    (item,) = suite.items("sn_curve", 0, 1, {})
    assert suite.field_axes([replace(item, group="other")]) == {}
