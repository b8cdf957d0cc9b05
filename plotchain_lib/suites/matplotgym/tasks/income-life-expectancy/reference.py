import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

countries = pd.read_csv("data/countries.csv")
figure, axes = plt.subplots(1, 2, sharex=True, sharey=True, figsize=(9, 4.5))
for axis, year in zip(axes, (1957, 2007), strict=True):
    part = countries[countries.year == year]
    for continent, group in part.groupby("continent"):
        axis.scatter(group.gdpPercap, group.lifeExp, s=14, label=continent)
    fit = np.polyfit(np.log10(part.gdpPercap), part.lifeExp, 1)
    income = np.geomspace(part.gdpPercap.min(), part.gdpPercap.max(), 50)
    axis.plot(income, np.polyval(fit, np.log10(income)), color="black")
    axis.set(xscale="log", xlabel="Income per person (2005 dollars)", title=str(year))
axes[0].set_ylabel("Life expectancy (years)")
axes[0].legend()
figure.tight_layout()
