import matplotlib.pyplot as plt
import pandas as pd

days = pd.read_csv("data/earth_orientation.csv")
days = days[days.year.between(1976, 2020)]
figure, (pole, rotation) = plt.subplots(1, 2, sharex=True, figsize=(9, 4))
for column, name in (("pm_x_error_arcsec", "x"), ("pm_y_error_arcsec", "y")):
    error = days[days.pm_flag == "I"].groupby("year")[column].median()
    pole.plot(error.index, error, label=f"pole {name}")
error = days[days.ut1_flag == "I"].groupby("year").ut1_utc_error_s.median()
rotation.plot(error.index, error, label="UT1-UTC")
for axis, unit in ((pole, "arcsec"), (rotation, "s")):
    axis.set(yscale="log", xlabel="Year", ylabel=f"Standard error ({unit})")
    axis.axvline(1994, color="black", linestyle=":")
    axis.legend()
figure.tight_layout()
