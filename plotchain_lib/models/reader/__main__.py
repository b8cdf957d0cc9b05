"""Read one picture from the command line and draw what was seen.

python -m plotchain_lib.models.reader picture.png resonance_hz,bandwidth_hz --overlay seen.svg
"""

from __future__ import annotations

import argparse
import base64
import json
from pathlib import Path

from plotchain_lib.files import one_line_errors, write_atomically
from plotchain_lib.item import PlotChainError, Request
from plotchain_lib.models.reader import answer
from plotchain_lib.models.reader.overlay import overlay


def main() -> None:
    """Print the values and the reasons of those that are null; write the overlay if asked."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("picture", type=Path, help="a PNG or JPEG of a plot")
    parser.add_argument("fields", help="the names of the fields, separated by commas")
    parser.add_argument("--prompt", default="", help="the question, where it states a quantity")
    parser.add_argument("--overlay", type=Path, help="where to draw what was seen, an SVG")
    options = parser.parse_args()
    try:
        data = options.picture.read_bytes()
    except OSError as error:
        raise PlotChainError(f"{options.picture}: cannot be read ({error.strerror})") from error
    fields = tuple(name.strip() for name in options.fields.split(",") if name.strip())
    if not fields:
        raise PlotChainError("fields: none is named; give some, as in resonance_hz,bandwidth_hz")
    response = answer(Request("reader", {}, options.prompt, fields, data, repeat=1))
    reasons, seen = response.received["reasons"], response.received["seen"]
    # The answer to a question about a graph is the text itself.
    graph = fields == ("answer",)
    values = {"answer": response.text or None} if graph else json.loads(response.text)
    print(json.dumps({"values": values, "reasons": reasons}, indent=2))
    if options.overlay:
        kind = "jpeg" if data.startswith(b"\xff\xd8") else "png"
        href = f"data:image/{kind};base64,{base64.b64encode(data).decode()}"
        width, height = seen.get("size", (1000, 576))
        write_atomically(options.overlay, overlay(seen, href, (width, height)))


if __name__ == "__main__":
    with one_line_errors():
        main()
