import matplotlib.pyplot as plt
import pandas as pd

trials = pd.read_csv("data/trials.csv").query("response > 0")
trials["accepted"] = trials.response <= 2
pairs = trials.groupby(["loss_usd", "win_usd"])
figure, axes = plt.subplots(1, 2, figsize=(10, 4.5), layout="constrained")
shown = ((pairs.accepted.mean(), "Share accepted"), (pairs.response_time_s.median(), "Time (s)"))
for axis, (values, name) in zip(axes, shown, strict=True):
    table = values.unstack()
    mesh = axis.pcolormesh(table.columns, table.index, table)
    axis.set(xlabel="Gain (dollars)", ylabel="Loss (dollars)")
    figure.colorbar(mesh, ax=axis, label=name)
