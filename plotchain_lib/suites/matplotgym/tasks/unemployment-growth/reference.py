import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

quarters = pd.read_csv("data/quarters.csv")
quarters["growth"] = 100 * (quarters.realgdp / quarters.realgdp.shift(4) - 1)
quarters["unemployment_change"] = quarters.unemp - quarters.unemp.shift(4)
figure, axis = plt.subplots(figsize=(6, 4.5))
for first, last in ((1960, 1983), (1984, 2008)):
    part = quarters[quarters.year.between(first, last)]
    points = axis.scatter(part.growth, part.unemployment_change, s=12, label=f"{first}-{last}")
    ends = np.array([part.growth.min(), part.growth.max()])
    fit = np.polyfit(part.growth, part.unemployment_change, 1)
    axis.plot(ends, np.polyval(fit, ends), color=points.get_facecolor()[0])
axis.axhline(0, color="black", linewidth=0.8)
axis.set(xlabel="Growth of real GDP (%)", ylabel="Change of unemployment (points)")
axis.legend()
figure.tight_layout()
