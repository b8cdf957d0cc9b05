"""How data/timings.csv was measured: python measure.py OUT_CSV, one processor thread.

The first 192 KiB of text and binary files of the Python installation, compressed and restored by
the standard library's three codecs at five levels, three repetitions; one row is one repetition.
"""

import bz2
import csv
import lzma
import sys
import sysconfig
import time
import zlib
from pathlib import Path

CODECS = {
    "zlib": (zlib.compress, zlib.decompress),
    "bz2": (bz2.compress, bz2.decompress),
    "lzma": (lambda data, level: lzma.compress(data, preset=level), lzma.decompress),
}


def chunks():
    """(kind, file name, bytes) of the largest files of each kind."""
    library = Path(sysconfig.get_path("stdlib"))
    for kind, pattern in (("text", "*.py"), ("binary", "lib-dynload/*.so")):
        files = sorted(library.glob(pattern), key=lambda p: (-p.stat().st_size, p.name))[:5]
        for path in files:
            yield kind, path.name.split(".")[0], path.read_bytes()[: 192 * 1024]


def main():
    """Measure every repetition and write the rows."""
    with Path(sys.argv[1]).open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(
            "content,file,codec,level,repetition,input_bytes,output_bytes,compress_s,"
            "decompress_s".split(",")
        )
        for kind, name, data in chunks():
            for codec, (compress, decompress) in CODECS.items():
                for level in (1, 3, 5, 7, 9):
                    for repetition in range(3):
                        start = time.perf_counter()
                        packed = compress(data, level)
                        middle = time.perf_counter()
                        assert decompress(packed) == data
                        end = time.perf_counter()
                        times = [f"{middle - start:.6f}", f"{end - middle:.6f}"]
                        row = [kind, name, codec, level, repetition, len(data), len(packed)]
                        writer.writerow(row + times)


main()
