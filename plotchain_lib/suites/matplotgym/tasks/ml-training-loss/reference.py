import matplotlib.pyplot as plt
import pandas as pd

runs = pd.read_csv("data/runs.csv")
runs = runs[runs.batch_size == 32]
figure, axes = plt.subplots(1, 2, sharex=True, sharey=True, figsize=(9, 4))
for axis, (width, part) in zip(axes, runs.groupby("width"), strict=True):
    for optimizer, rows in part.groupby("optimizer"):
        loss = rows.groupby("epoch").valid_loss.agg(["mean", "std"])
        axis.plot(loss.index, loss["mean"], label=optimizer)
        axis.fill_between(
            loss.index, loss["mean"] - loss["std"], loss["mean"] + loss["std"], alpha=0.25
        )
    axis.set(yscale="log", xlabel="Epoch", title=f"{width} hidden units")
axes[0].set_ylabel("Validation loss (nats)")
axes[0].legend()
figure.tight_layout()
