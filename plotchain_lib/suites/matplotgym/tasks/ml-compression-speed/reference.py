import matplotlib.pyplot as plt
import pandas as pd

rows = pd.read_csv("data/timings.csv")
rows["ratio"] = rows.input_bytes / rows.output_bytes
rows["speed_mb_s"] = rows.input_bytes / rows.compress_s / 1e6
figure, axes = plt.subplots(1, 2, sharex=True, sharey=True, figsize=(9, 4))
for axis, (content, part) in zip(axes, rows.groupby("content"), strict=True):
    for codec, group in part.groupby("codec"):
        levels = group.groupby("level")[["speed_mb_s", "ratio"]].median()
        axis.plot(levels.speed_mb_s, levels.ratio, "o-", label=codec)
    axis.axvline(10, color="black", linestyle=":")
    axis.set(xscale="log", xlabel="Compression speed (MB/s)", title=content)
axes[0].set_ylabel("Compression ratio")
axes[0].legend()
figure.tight_layout()
