import matplotlib.pyplot as plt
import pandas as pd

days = pd.read_csv("data/earth_orientation.csv").query("pm_flag == 'I'")
figure, axes = plt.subplots(1, 2, sharex=True, sharey=True, figsize=(9, 4.5))
for axis, (first, last) in zip(axes, ((2012, 2013), (2022, 2023)), strict=True):
    for year in (first, last):
        path = days[days.year == year]
        axis.plot(path.pm_x_arcsec, path.pm_y_arcsec, label=str(year))
    axis.set(xlabel="Pole x (arcsec)", aspect="equal")
    axis.legend()
axes[0].set_ylabel("Pole y (arcsec)")
figure.tight_layout()
