"""Which kinds of mark say the same, nearly the same, or something else."""

from __future__ import annotations

NEAR = 0.5
_NEAR_KINDS = {
    frozenset(pair)
    for pair in (
        ("bar", "scatter"),
        ("bar", "histogram"),
        ("bar", "stem"),
        ("bar", "pie"),
        ("bar", "interval"),
        ("histogram", "step"),
        ("histogram", "area"),
        ("histogram", "line"),
        ("stem", "scatter"),
        ("line", "step"),
        ("line", "scatter"),
        ("line", "area"),
        ("line", "stem"),
        ("box", "violin"),
        ("box", "interval"),
        ("heatmap", "contour"),
        ("heatmap", "hexbin"),
        ("contour", "hexbin"),
        ("heatmap", "surface"),
        ("contour", "surface"),
        ("quiver", "stream"),
        ("quiver", "barbs"),
        ("barbs", "stream"),
        ("event", "scatter"),
        ("interval", "scatter"),
        ("polygon", "area"),
        ("polygon", "line"),
    )
}


def kind_score(reference: str, submitted: str) -> float:
    """1 for one kind, NEAR for near-equivalent kinds, else 0. Symmetric."""
    if reference == submitted:
        return 1.0
    return NEAR if frozenset((reference, submitted)) in _NEAR_KINDS else 0.0
