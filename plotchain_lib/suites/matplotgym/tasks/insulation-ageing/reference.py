import matplotlib.pyplot as plt
import pandas as pd

specimens = pd.read_csv("data/specimens.csv")
figure, axis = plt.subplots(figsize=(6, 4.5))
for temperature in (180, 225, 275):
    strength = (
        specimens[specimens.temperature_c == temperature].groupby("ageing_weeks").breakdown_kv
    )
    axis.errorbar(
        strength.mean().index,
        strength.mean(),
        yerr=strength.std(),
        marker="o",
        capsize=3,
        label=f"{temperature} °C",
    )
axis.axhline(10, color="black", linestyle="--", linewidth=0.8)
axis.set(xlabel="Ageing time (weeks)", ylabel="Breakdown strength (kV)")
axis.set_xscale("log", base=2)
axis.legend()
figure.tight_layout()
