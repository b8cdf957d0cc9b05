import matplotlib.pyplot as plt
import pandas as pd

signals = pd.read_csv("data/signals.csv")
regions = ["Ang", "SupraM", "Hip", "Amy", "PostPHG", "Fpol", "Cau"]
figure, axes = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
for axis, hemisphere in zip(axes, "LR", strict=True):
    coefficient = signals[[hemisphere + region for region in regions]].corr()
    image = axis.imshow(coefficient, vmin=-1, vmax=1, cmap="RdBu_r")
    axis.set_xticks(range(len(regions)), regions, rotation=90)
    axis.set_yticks(range(len(regions)), regions)
    axis.set_title("Left" if hemisphere == "L" else "Right")
figure.colorbar(image, ax=axes, label="Correlation coefficient")
