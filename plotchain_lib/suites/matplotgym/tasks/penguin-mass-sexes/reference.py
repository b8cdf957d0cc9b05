import matplotlib.pyplot as plt
import pandas as pd

birds = pd.read_csv("data/penguins.csv").dropna(subset=["Sex", "Body Mass (g)"])
figure, axes = plt.subplots(1, 3, sharey=True, figsize=(10, 4))
for axis, (species, part) in zip(axes, birds.groupby("Species"), strict=True):
    for sex, group in part.groupby("Sex"):
        mass = group.groupby("studyName")["Body Mass (g)"].agg(["mean", "sem"])
        axis.errorbar(
            mass.index, mass["mean"], yerr=1.96 * mass["sem"], fmt="o", capsize=3, label=sex.lower()
        )
    axis.set(title=species.split(" (")[0], xlabel="Field season")
    axis.margins(x=0.25)
axes[0].set_ylabel("Body mass (g)")
axes[0].legend()
figure.tight_layout()
