import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

people = pd.read_csv("data/nhefs.csv").dropna(subset=["wt71", "wt82"])
people["change"] = people.wt82 - people.wt71
figure, axes = plt.subplots(1, 2, sharex=True, sharey=True, figsize=(9, 4))
for axis, sex, name in zip(axes, (0, 1), ("men", "women"), strict=True):
    for quit_, label in ((0, "went on smoking"), (1, "quit")):
        group = people[(people.sex == sex) & (people.qsmk == quit_)]
        axis.hist(group.change, bins=np.arange(-40, 53, 4), density=True, alpha=0.5, label=label)
    axis.axvline(0, color="black", linestyle=":")
    axis.set(title=name, xlabel="Weight change (kg)")
axes[0].set_ylabel("Density (1/kg)")
axes[0].legend()
figure.tight_layout()
