"""Draws a figure and puts its spec into one line a person can check."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt

from plotchain_lib.suites.matplotgym.figure.calls import Provenance
from plotchain_lib.suites.matplotgym.figure.extract import extract
from plotchain_lib.suites.matplotgym.figure.spec import plain

mpl.use("Agg", force=True)
Draw = Callable[[], object]
Kind = tuple[str, Draw, str]
SHOWN = 6


def spec_of(draw: Draw) -> dict[str, Any]:
    """The spec of the current figure after `draw`, drawn with the defaults of Matplotlib."""
    plt.close("all")
    with mpl.rc_context(), Provenance() as provenance:
        draw()
        spec = plain(extract(plt.gcf(), provenance))
    plt.close("all")
    return spec


def values(part: Any) -> str:
    if part is None:
        return "-"
    if part and isinstance(part[0], list):
        return f"{len(part)}x{len(part[0])}" if len(part) > 3 else "/".join(map(values, part))
    if len(part) > SHOWN:
        return f"n={len(part)}"
    return " ".join(
        v if isinstance(v, str) else ("nan" if v is None else f"{round(v, 6) + 0.0:.4g}")
        for v in part
    )


def mark_text(mark: dict[str, Any]) -> str:
    text = mark["kind"] + (".h" if mark.get("orientation") == "horizontal" else "")
    text += f"~{mark['arrangement']}" if "arrangement" in mark else ""
    parts = [values(mark["x"])] + ([values(mark["y"])] if mark.get("y") is not None else [])
    parts += [f"base {values(mark['base'])}"] if "base" in mark else []
    parts += [f"z {values(mark['z'])}"] if "z" in mark and mark["kind"] != "violin" else []
    key = mark.get("color_key")
    parts += [f"colour {values(key['values'])}"] if key and "values" in key else []
    parts += ["sizes"] if "size_key" in mark else []
    parts += [f"'{mark['label']}'"] if "label" in mark else []
    return f"{text}({'; '.join(parts)})"


def overlay_text(overlay: dict[str, Any]) -> str:
    text = "+" + overlay["kind"] + (".h" if overlay.get("orientation") == "horizontal" else "")
    text += f">{overlay['of']}" if "of" in overlay else ""
    parts = [f"{overlay['value']:.4g}"] if "value" in overlay else []
    parts += [f"slope {overlay['slope']:.4g}"] if "slope" in overlay else []
    for name in ("x", "lower", "upper"):
        if name in overlay:
            part = overlay[name]
            parts.append(values(part) if isinstance(part, list) else f"{part:.4g}")
    parts += [f"'{overlay['text']}'"] if "text" in overlay else []
    return f"{text}({'; '.join(parts)})"


def panel_text(panel: dict[str, Any]) -> str:
    words = [panel["role"] + f" of {panel['of']}"] if panel["role"] != "main" else []
    words += [panel["projection"]] if panel["projection"] != "rectilinear" else []
    words += [f"{n}:{panel[n]['scale']}" for n in ("x", "y") if panel[n]["scale"] != "linear"]
    words += [mark_text(mark) for mark in panel["marks"]]
    words += [overlay_text(overlay) for overlay in panel["overlays"]]
    return " ".join(words)


def brief(spec: dict[str, Any]) -> str:
    """Panels divided by bars; what is not represented follows after `!`."""
    text = " | ".join(panel_text(panel) for panel in spec["panels"])
    return text + "".join(f" !{words}" for words in spec["unrepresented"])
