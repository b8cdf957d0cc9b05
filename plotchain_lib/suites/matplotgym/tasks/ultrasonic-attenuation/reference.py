import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

readings = pd.read_csv("data/readings.csv")
figure, axes = plt.subplots(1, 2, sharex=True, sharey=True, figsize=(9, 4))
for axis, (run, part) in zip(axes, readings.groupby("run"), strict=True):
    axis.scatter(part.distance, part.response, s=12)
    fit = np.polyfit(part.distance, np.log(part.response), 1)
    distance = np.linspace(part.distance.min(), part.distance.max(), 50)
    axis.plot(distance, np.exp(np.polyval(fit, distance)), "k--", label="exponential fit")
    axis.set(yscale="log", xlabel="Metal distance", title=f"Run {run}")
axes[0].set_ylabel("Ultrasonic response")
axes[0].legend()
figure.tight_layout()
