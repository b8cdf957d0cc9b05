import matplotlib.pyplot as plt
import pandas as pd

people = pd.read_csv("data/nhefs.csv").dropna(subset=["sbp", "dbp"])
labels = ["25-34", "35-44", "45-54", "55-64", "65-74"]
people["decade"] = pd.cut(people.age, [25, 35, 45, 55, 65, 75], right=False, labels=labels)
figure, axes = plt.subplots(1, 2, sharex=True, figsize=(9, 4))
for axis, column, limit, name in zip(
    axes, ("sbp", "dbp"), (140, 90), ("Systolic", "Diastolic"), strict=True
):
    for sex, label in ((0, "men"), (1, "women")):
        groups = people[people.sex == sex].groupby("decade", observed=True)[column]
        axis.errorbar(
            labels, groups.mean(), yerr=1.96 * groups.sem(), marker="o", capsize=3, label=label
        )
    axis.axhline(limit, color="black", linestyle="--")
    axis.set(xlabel="Age in 1971 (years)", ylabel=f"{name} pressure (mmHg)")
axes[0].legend()
figure.tight_layout()
