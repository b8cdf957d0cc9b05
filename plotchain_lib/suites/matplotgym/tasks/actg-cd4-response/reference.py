import matplotlib.pyplot as plt
import pandas as pd

patients = pd.read_csv("data/actg175.csv")
arms = ["zidovudine", "zidovudine + didanosine", "zidovudine + zalcitabine", "didanosine"]
weeks = {0: "cd40", 20: "cd420", 96: "cd496"}
figure, axes = plt.subplots(1, 2, sharex=True, sharey=True, figsize=(9, 4))
for axis, (earlier, part) in zip(axes, patients.groupby("str2"), strict=True):
    for arm, name in enumerate(arms):
        group = part[part.arms == arm]
        changes = [(group[column] - group.cd40).dropna() for column in weeks.values()]
        axis.errorbar(
            list(weeks),
            [c.mean() for c in changes],
            yerr=[1.96 * c.sem() for c in changes],
            marker="o",
            capsize=3,
            label=name,
        )
    axis.axhline(0, color="black", linewidth=0.8)
    axis.set(title=f"{'With' if earlier else 'Without'} earlier therapy", xlabel="Week")
axes[0].set_ylabel("Change in CD4 count (cells/mm³)")
axes[0].legend(fontsize=8)
figure.tight_layout()
