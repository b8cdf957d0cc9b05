"""Ask without a broker, to debug a call; or serve, which the first client starts by itself.

    python -m plotchain_lib.query --direct OUTPUT CALL [--cache FOLDER]
    python -m plotchain_lib.query --status [--cache FOLDER]

CALL is the JSON text a query job was given; ``snakemake --printshellcmds`` prints it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from plotchain_lib.files import write_atomically
from plotchain_lib.item import PlotChainError

if TYPE_CHECKING:
    from plotchain_lib.query.asker import Asker, Call


def main(arguments: list[str] | None = None) -> int:
    """The command's exit code."""
    parser = argparse.ArgumentParser(prog="python -m plotchain_lib.query", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--direct", nargs=2, metavar=("OUTPUT", "CALL"), help="ask here and now")
    what.add_argument("--status", action="store_true", help="what the broker says of itself")
    what.add_argument("--serve", type=int, metavar="LOCK", help=argparse.SUPPRESS)
    cache = os.environ.get("PLOTCHAIN_CACHE", ".plotchain/cache")
    parser.add_argument("--cache", type=Path, default=Path(cache), help="default: %(default)s")
    options = parser.parse_args(arguments)
    if options.serve is not None:
        from plotchain_lib.query.broker import serve

        return serve(options.serve)
    if options.status:
        return _status(options.cache)
    return _direct(options.cache, *options.direct)


def _direct(folder: Path, output: str, text: str) -> int:
    from plotchain_lib.query.asker import Asker, Call
    from plotchain_lib.query.broker import say
    from plotchain_lib.query.cache import Cache

    try:
        call = Call.parse(text)
        asker = Asker(Cache(folder, say), say)
        write_atomically(Path(output), asyncio.run(_answered(asker, call)))
    except (PlotChainError, OSError) as error:
        sys.stderr.write(f"query failed: {error}\n")
        return 1
    return 0


async def _answered(asker: Asker, call: Call) -> bytes:
    try:
        return await asker.answer(Path.cwd(), call)
    finally:
        await asker.close()


def _status(folder: Path) -> int:
    from plotchain_lib.query import environment
    from plotchain_lib.query.broker import status

    answer = status(Path(environment(folder)["PLOTCHAIN_SOCKET"]))
    sys.stdout.write("no broker\n" if answer is None else json.dumps(answer, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
