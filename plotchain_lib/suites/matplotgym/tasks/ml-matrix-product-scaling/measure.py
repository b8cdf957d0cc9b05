"""How data/timings.csv was measured: OPENBLAS_NUM_THREADS=1 python measure.py OUT_CSV.

Square matrix products by NumPy's BLAS and by numpy.einsum without optimisation, in two precisions;
one row is one timed call. The first call of each setting (repetition 0) fills caches.
"""

import csv
import sys
import time
from pathlib import Path

import numpy as np

ROUTINES = {"blas": np.matmul, "einsum": lambda a, b: np.einsum("ij,jk->ik", a, b)}


def main():
    """Measure every call and write the rows."""
    rng = np.random.default_rng(0)
    with Path(sys.argv[1]).open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow("routine,dtype,n,repetition,input_mb,elapsed_s".split(","))
        for dtype in ("float32", "float64"):
            for n in (32, 48, 64, 96, 128, 192, 256, 384, 512):
                a, b = (rng.normal(size=(n, n)).astype(dtype) for _ in range(2))
                for name, product in ROUTINES.items():
                    for repetition in range(8):
                        start = time.perf_counter()
                        product(a, b)
                        elapsed = time.perf_counter() - start
                        size = f"{2 * a.nbytes / 1e6:.4f}"
                        writer.writerow([name, dtype, n, repetition, size, f"{elapsed:.8f}"])


main()
