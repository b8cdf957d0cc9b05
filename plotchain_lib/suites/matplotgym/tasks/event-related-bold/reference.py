import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

scans = pd.read_csv("data/bold.csv")
lags = np.arange(12)
figure, axis = plt.subplots(figsize=(6, 4.5))
for kind in (1, 4):
    onsets = np.flatnonzero(scans.event_type == kind)
    onsets = onsets[onsets + lags[-1] < len(scans)]
    response = scans.bold.to_numpy()[onsets[:, None] + lags]
    axis.errorbar(
        2 * lags,
        response.mean(axis=0),
        yerr=response.std(axis=0, ddof=1) / np.sqrt(len(onsets)),
        marker="o",
        capsize=3,
        label=f"type {kind}",
    )
axis.axhline(0, color="black", linewidth=0.8)
axis.set(xlabel="Time after event (s)", ylabel="BOLD signal (% change)")
axis.legend()
figure.tight_layout()
