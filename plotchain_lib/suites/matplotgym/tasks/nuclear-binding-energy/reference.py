import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

nuclides = pd.read_csv("data/nuclides.csv", keep_default_na=False, na_values=[""])
nuclides = nuclides[(nuclides.abundance_percent > 0) & (nuclides.mass_number > 1)]
z, a = nuclides.atomic_number, nuclides.mass_number
energy = 931.494 * (z * 1.00782503 + (a - z) * 1.00866492 - nuclides.atomic_mass_u)
nuclides["binding_energy"] = energy / a
even_odd = np.where(z % 2 == 0, "even-even", "odd-odd")
nuclides["parity"] = np.where(a % 2 == 1, "odd mass number", even_odd)
figure, axis = plt.subplots(figsize=(6.5, 4.5))
for parity, group in nuclides.groupby("parity"):
    axis.scatter(group.mass_number, group.binding_energy, s=14, label=parity)
axis.axvline(62, color="black", linestyle=":")
axis.set(xlabel="Mass number", ylabel="Binding energy per nucleon (MeV)")
axis.legend()
figure.tight_layout()
