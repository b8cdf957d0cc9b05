import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

weeks = pd.read_csv("data/co2.csv", parse_dates=["date"]).dropna()
weeks["year"], weeks["month"] = weeks.date.dt.year, weeks.date.dt.month
weeks["annual_value"] = weeks.groupby("year").co2_ppm.transform("mean")
weeks["departure"] = weeks.co2_ppm - weeks.annual_value
annual = weeks[weeks.year.between(1960, 2000)].groupby("year").co2_ppm.mean()
figure, (trend, season) = plt.subplots(1, 2, figsize=(9, 4))
trend.plot(annual.index, annual, "o", markersize=4)
t = annual.index.to_numpy() - 1980
trend.plot(annual.index, np.polyval(np.polyfit(t, annual, 2), t), label="quadratic fit")
trend.set(xlabel="Year", ylabel="CO$_2$ (ppm)")
trend.legend()
for decade in (1960, 1990):
    months = weeks[weeks.year.between(decade, decade + 9)].groupby("month").departure.mean()
    season.plot(months.index, months, "o-", label=f"{decade}s")
season.set(xlabel="Month", ylabel="Departure from annual value (ppm)")
season.legend()
figure.tight_layout()
