import matplotlib.pyplot as plt
import pandas as pd

years = pd.read_csv("data/nino12.csv").set_index("year")
figure, axis = plt.subplots(figsize=(6.5, 4.5))
axis.fill_between(
    years.columns, years.quantile(0.1), years.quantile(0.9), alpha=0.3, label="middle 80 %"
)
axis.plot(years.columns, years.median(), "k--", label="all years")
for year in (1982, 1988, 1997):
    axis.plot(years.columns, years.loc[year], "o-", markersize=3, label=str(year))
axis.set(xlabel="Month", ylabel="Sea-surface temperature (°C)")
axis.legend()
figure.tight_layout()
