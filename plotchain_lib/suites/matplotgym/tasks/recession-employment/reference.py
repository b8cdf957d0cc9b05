import matplotlib.pyplot as plt
import pandas as pd

months = pd.read_csv("data/employment.csv", parse_dates=["month"]).set_index("month")
months = months.loc["2008-01-01":]
figure, axis = plt.subplots(figsize=(6.5, 4.5))
for sector in ("construction", "manufacturing", "education_and_health_services"):
    level = 100 * months[sector] / months[sector].iloc[0]
    axis.plot(level.index, level, label=sector.replace("_", " "))
axis.axhline(100, color="black", linestyle=":")
axis.set(xlabel="Month", ylabel="Employment (% of January 2008)")
axis.legend()
figure.tight_layout()
