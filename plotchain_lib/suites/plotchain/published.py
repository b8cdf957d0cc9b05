"""What is known of the published release: tolerances, axes, and relations of its own."""

from __future__ import annotations

import math

from plotchain_lib.item import Relation
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


# Fields of the release that are read on a logarithmic axis; all others are read on a linear one.
LOG_AXIS = frozenset(
    {
        *(("bandpass_response", name) for name in (
            "resonance_hz", "bandwidth_hz", "cp_f1_3db_hz", "cp_f2_3db_hz", "cp_q_factor")),
        ("bode_magnitude", "cutoff_hz"),
        ("bode_phase", "cutoff_hz"),
    }
)  # fmt: skip

# Relations that hold in the release and not in our own pictures, where they were broken on purpose.
RELATIONS = (
    Relation(
        "bode_magnitude", "dc_gain_db", ("cp_mag_at_fc_db",), "gain at f_c + 3.01 dB",
        lambda gain: gain + 10.0 * math.log10(2.0),
    ),
    Relation(
        "iv_resistor", "resistance_ohm", ("cp_slope_ohm",), "slope", lambda slope: 1.0 * slope,
    ),
    Relation(
        "pump_curve", "q_at_half_head_m3h", ("cp_qmax_m3h",), "Q_max / sqrt(2)",
        lambda flow: flow / math.sqrt(2.0),
    ),
    Relation(
        "transfer_characteristic", "small_signal_gain", ("saturation_v", "cp_vin_at_saturation"),
        "V_sat / V_in at saturation", lambda level, corner: level / corner,
    ),
)  # fmt: skip
