import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

flowers = pd.read_csv("data/iris.csv")
figure, axes = plt.subplots(1, 2, figsize=(9, 4))
for axis, organ in zip(axes, ("petal", "sepal"), strict=True):
    for species in ("versicolor", "virginica"):
        group = flowers[flowers.species == species]
        x, y = group[f"{organ}_length_cm"], group[f"{organ}_width_cm"]
        points = axis.scatter(x, y, s=14, label=species)
        fit = np.polyfit(np.log(x), np.log(y), 1)
        line = np.linspace(x.min(), x.max(), 50)
        axis.plot(line, np.exp(np.polyval(fit, np.log(line))), color=points.get_facecolor()[0])
    axis.set(
        xscale="log", yscale="log", xlabel=f"{organ} length (cm)", ylabel=f"{organ} width (cm)"
    )
axes[0].legend()
figure.tight_layout()
