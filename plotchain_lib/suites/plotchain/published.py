"""The published tolerances of released fields, whether or not a family of ours asks for them."""

from __future__ import annotations

from plotchain_lib.suites.plotchain import families

# The release's rule for a field without a row, max(0.05, 0.08 max(|g|, 1)) or 10 %, allows the
# same as this pair for every truth g.
DEFAULT_PLOTREAD = (0.08, 0.10)


def plotread(family: str, field: str) -> tuple[float, float]:
    """The published plotread tolerance (absolute, relative) of any released field."""
    if family in families.names():
        tolerances = families.load(family).tolerances
        if field in tolerances:
            return tolerances[field].plotread
    return DEFAULT_PLOTREAD
