import matplotlib.pyplot as plt
import pandas as pd

constants = pd.read_csv("data/constants.csv")
constants["relative_uncertainty"] = constants.standard_uncertainty / constants.value
figure, axes = plt.subplots(1, 2, sharex=True, sharey=True, figsize=(9, 4))
for axis, suffix, unit in zip(axes, ("", " in u"), ("kg", "u"), strict=True):
    for particle in ("electron", "proton", "neutron"):
        part = constants[constants.quantity == f"{particle} mass{suffix}"]
        axis.plot(part.adjustment, part.relative_uncertainty, "o-", label=particle)
    axis.axvline(2018, color="black", linestyle=":")
    axis.set(yscale="log", xlabel="CODATA adjustment", title=f"Mass in {unit}")
axes[0].set_ylabel("Relative standard uncertainty")
axes[0].legend()
figure.tight_layout()
