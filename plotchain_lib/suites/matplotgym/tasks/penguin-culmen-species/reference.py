import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

birds = pd.read_csv("data/penguins.csv").dropna(subset=["Culmen Length (mm)", "Culmen Depth (mm)"])
figure, axis = plt.subplots(figsize=(6, 4.5))
for species, group in birds.groupby("Species"):
    x, y = group["Culmen Length (mm)"], group["Culmen Depth (mm)"]
    points = axis.scatter(x, y, s=14, label=species.split()[0])
    ends = np.array([x.min(), x.max()])
    axis.plot(ends, np.polyval(np.polyfit(x, y, 1), ends), color=points.get_facecolor()[0])
axis.set(xlabel="Culmen length (mm)", ylabel="Culmen depth (mm)")
axis.legend()
figure.tight_layout()
