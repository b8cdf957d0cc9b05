import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

trials = pd.read_csv("data/trials.csv").query("response > 0")
trials["accepted"] = trials.response <= 2
ends = 2.0 ** np.arange(-1, 3.5, 0.5)
ends[-1] *= 1 + 1e-9
middles = 2.0 ** np.arange(-0.75, 3, 0.5)
trials["ratio"] = pd.cut(trials.win_usd / trials.loss_usd, ends, right=False, labels=middles)
figure, axis = plt.subplots(figsize=(6, 4.5))
for label, part in (
    ("losses up to 12 dollars", trials[trials.loss_usd <= 12]),
    ("greater losses", trials[trials.loss_usd > 12]),
):
    persons = part.groupby(["ratio", "person"], observed=True).accepted.mean()
    groups = persons.groupby("ratio", observed=True)
    axis.errorbar(
        groups.mean().index.astype(float),
        groups.mean(),
        yerr=groups.sem(),
        marker="o",
        capsize=3,
        label=label,
    )
axis.axhline(0.5, color="black", linestyle=":")
axis.set_xscale("log", base=2)
axis.set(xlabel="Gain over loss", ylabel="Share of gambles accepted")
axis.legend()
figure.tight_layout()
