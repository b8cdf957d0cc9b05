import matplotlib.pyplot as plt
import pandas as pd

wines = pd.read_csv("data/wines.csv")
figure, axes = plt.subplots(1, 3, figsize=(10, 4))
for axis, column in zip(axes, ("flavanoids", "color_intensity", "proline"), strict=True):
    groups = {name: group[column] for name, group in wines.groupby("cultivar")}
    axis.boxplot(list(groups.values()), tick_labels=list(groups))
    axis.set(xlabel="Cultivar", ylabel=column.replace("_", " ").capitalize())
figure.tight_layout()
