import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

readings = pd.read_csv("data/expansion.csv")
shown = readings[readings.temperature_k.between(18, 200)]
cold = shown[shown.temperature_k <= 40]
fit = np.polyfit(np.log(cold.temperature_k), np.log(cold.expansion_coefficient), 1)
figure, axis = plt.subplots(figsize=(6, 4.5))
axis.scatter(shown.temperature_k, shown.expansion_coefficient, s=14, label="readings")
line = np.geomspace(shown.temperature_k.min(), shown.temperature_k.max(), 50)
axis.plot(line, np.exp(np.polyval(fit, np.log(line))), "k--", label="power law, 18 to 40 K")
axis.set(
    xscale="log",
    yscale="log",
    xlabel="Temperature (K)",
    ylabel="Expansion coefficient (10$^{-6}$/K)",
)
axis.legend()
figure.tight_layout()
