import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

rows = pd.read_csv("data/timings.csv").query("repetition > 0 and n >= 64")
figure, axes = plt.subplots(1, 2, sharex=True, sharey=True, figsize=(9, 4))
for axis, (dtype, part) in zip(axes, rows.groupby("dtype"), strict=True):
    times = part.groupby(["routine", "n"]).elapsed_s.median()
    for routine in ("blas", "einsum"):
        axis.plot(times[routine].index, times[routine], "o-", label=routine)
    n = np.array(times["einsum"].index, dtype=float)
    axis.plot(n, times["einsum"][128] * (n / 128) ** 3, "k--", label="$n^3$")
    axis.set(xscale="log", yscale="log", xlabel="Matrix size n", title=dtype)
axes[0].set_ylabel("Time per product (s)")
axes[0].legend()
figure.tight_layout()
