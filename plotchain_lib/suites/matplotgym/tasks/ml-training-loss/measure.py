"""How data/runs.csv was measured: python measure.py DIGITS_CSV_GZ OUT_CSV, one processor thread.

DIGITS_CSV_GZ is the optdigits table shipped by scikit-learn (64 pixel counts and a label a row).
A network with one hidden layer is trained by three update rules, two widths, two batch sizes and
five seeds; one row is one epoch of one run.
"""

import csv
import sys
import time
from pathlib import Path

import numpy as np

EPOCHS = 30


def updated(rule, state, gradient, step):
    """The change of one parameter array under an update rule."""
    if rule == "sgd":
        return -0.1 * gradient
    if rule == "momentum":
        state["v"] = 0.9 * state.get("v", 0.0) + gradient
        return -0.02 * state["v"]
    state["m"] = 0.9 * state.get("m", 0.0) + 0.1 * gradient
    state["s"] = 0.999 * state.get("s", 0.0) + 0.001 * gradient**2
    mean, square = state["m"] / (1 - 0.9**step), state["s"] / (1 - 0.999**step)
    return -0.003 * mean / (np.sqrt(square) + 1e-8)


def forward(weights, x, y):
    """Hidden activations, class probabilities, cross-entropy and accuracy."""
    hidden = np.maximum(x @ weights[0] + weights[1], 0)
    scores = hidden @ weights[2] + weights[3]
    scores -= scores.max(axis=1, keepdims=True)
    p = np.exp(scores)
    p /= p.sum(axis=1, keepdims=True)
    loss = -np.log(p[np.arange(len(y)), y] + 1e-12).mean()
    return hidden, p, loss, (p.argmax(axis=1) == y).mean()


def run(rule, width, batch, seed, x, y):
    """Rows of one training run."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(y))
    x, y = x[order], y[order]
    (tx, vx), (ty, vy) = np.split(x, [1437]), np.split(y, [1437])
    weights = [
        rng.normal(0, (2 / 64) ** 0.5, (64, width)),
        np.zeros(width),
        rng.normal(0, (1 / width) ** 0.5, (width, 10)),
        np.zeros(10),
    ]
    states, step, started = [{}, {}, {}, {}], 0, time.perf_counter()
    for epoch in range(1, EPOCHS + 1):
        shuffled = rng.permutation(len(ty))
        for first in range(0, len(ty), batch):
            bx, by = tx[shuffled[first : first + batch]], ty[shuffled[first : first + batch]]
            hidden, p, _, _ = forward(weights, bx, by)
            p[np.arange(len(by)), by] -= 1
            p /= len(by)
            back = (p @ weights[2].T) * (hidden > 0)
            gradients = [bx.T @ back, back.sum(0), hidden.T @ p, p.sum(0)]
            step += 1
            for w, state, gradient in zip(weights, states, gradients, strict=True):
                w += updated(rule, state, gradient, step)
        train, valid = forward(weights, tx, ty), forward(weights, vx, vy)
        yield [rule, width, batch, seed, epoch, round(time.perf_counter() - started, 4)] + [
            f"{v:.6g}" for v in (train[2], valid[2], train[3], valid[3])
        ]


def main():
    """Measure every run and write the rows."""
    table = np.loadtxt(sys.argv[1], delimiter=",")
    x, y = table[:, :64] / 16, table[:, 64].astype(int)
    with Path(sys.argv[2]).open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(
            "optimizer,width,batch_size,seed,epoch,elapsed_s,train_loss,valid_loss,"
            "train_accuracy,valid_accuracy".split(",")
        )
        for rule in ("sgd", "momentum", "adam"):
            for width in (16, 64):
                for batch in (32, 256):
                    for seed in range(5):
                        writer.writerows(run(rule, width, batch, seed, x, y))


main()
