import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

spikes = pd.read_csv("data/spikes.csv").query("spike_time_us >= 1e6")
figure, axes = plt.subplots(1, 2, sharex=True, sharey=True, figsize=(9, 4))
for axis, (cutoff, part) in zip(axes, spikes.groupby("cutoff_hz"), strict=True):
    interval_ms = np.diff(part.spike_time_us) / 1000
    axis.hist(interval_ms, bins=np.arange(0, 41))
    axis.axvline(interval_ms.mean(), color="black", linestyle="--", label="mean interval")
    axis.set(yscale="log", xlabel="Interval (ms)", title=f"Modulation up to {cutoff} Hz")
axes[0].set_ylabel("Number of intervals")
axes[0].legend()
figure.tight_layout()
