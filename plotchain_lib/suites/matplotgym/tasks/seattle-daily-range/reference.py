import matplotlib.pyplot as plt
import pandas as pd

days = pd.read_csv("data/weather.csv", parse_dates=["date"])
days = days[days.date.dt.year <= 2014]
days["daily_range"] = days.temp_max - days.temp_min
figure, axis = plt.subplots(figsize=(6.5, 4.5))
for dry, group in days.groupby(days.precipitation == 0):
    months = group.groupby(group.date.dt.month).daily_range
    axis.errorbar(
        months.mean().index,
        months.mean(),
        yerr=1.96 * months.sem(),
        marker="o",
        capsize=3,
        label="dry" if dry else "with precipitation",
    )
axis.set(xlabel="Calendar month", ylabel="Daily temperature range (°C)")
axis.legend()
figure.tight_layout()
