import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

trials = pd.read_csv("data/trials.csv").query("response > 0")
steps = np.arange(0, 29) / 5
figure, axes = plt.subplots(1, 2, sharex=True, sharey=True, figsize=(9, 4))
for axis, name, strong, weak in ((axes[0], "accepted", 1, 2), (axes[1], "rejected", 4, 3)):
    for response, label in ((strong, "strongly"), (weak, "weakly")):
        times = trials[trials.response == response].response_time_s
        axis.hist(times, bins=steps, density=True, alpha=0.5, label=label)
    axis.axvline(3, color="black", linestyle=":")
    axis.set(title=name.capitalize(), xlabel="Response time (s)")
axes[0].set_ylabel("Density (1/s)")
axes[0].legend()
figure.tight_layout()
