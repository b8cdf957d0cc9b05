import matplotlib.pyplot as plt
import pandas as pd

days = pd.read_csv("data/earth_orientation.csv").query("ut1_flag == 'I'")
figure, axis = plt.subplots(figsize=(6, 4.5))
for decade in (1980, 2010):
    months = days[days.year.between(decade, decade + 9)].groupby("month").lod_ms
    axis.errorbar(
        months.mean().index,
        months.mean(),
        yerr=months.std(),
        marker="o",
        capsize=3,
        label=f"{decade}-{decade + 9}",
    )
axis.axhline(0, color="black", linewidth=0.8)
axis.set(xlabel="Calendar month", ylabel="Excess length of day (ms)")
axis.legend()
figure.tight_layout()
