"""Starts the recorder inside the sandbox, under an interpreter that may be too old for it.

Run as a file from a copy of this library, ``python .recorder/plotchain_lib/.../start.py``, in the
folder that holds the plan. Written so that an old Python can read it and say that it is too old.
"""

import json
import os
import sys

UNFIT = 97  # the exit code where the interpreter cannot be used; the reason is the last line
PLAN = os.path.join(".recorder", "plan.json")  # noqa: PTH118 - read by old Pythons
_PYTHON = (3, 10)
_MATPLOTLIB = (3, 8)


def _unfit(reason: str) -> None:
    print(reason)
    sys.stdout.flush()
    os._exit(UNFIT)


def main() -> None:
    """Look at the interpreter, go where the script expects to be, and record it."""
    if sys.version_info[:2] < _PYTHON:
        _unfit("is Python %d.%d, and 3.10 or later is needed" % sys.version_info[:2])  # noqa: UP031
    desk = os.getcwd()  # noqa: PTH109
    with open(PLAN, encoding="utf-8") as stream:  # noqa: PTH123
        plan = json.load(stream)
    # The library's copy comes last, so that nothing of the author's is shadowed. The working
    # directory is there as well: many a project is run with it in PYTHONPATH.
    sys.path[0] = os.path.join(desk, plan["path"])  # noqa: PTH118
    sys.path.append(os.path.join(desk, plan["cwd"]))  # noqa: PTH118
    sys.path.append(os.path.join(desk, ".recorder"))  # noqa: PTH118
    # Before Matplotlib is imported: it reads a matplotlibrc that lies there.
    os.chdir(os.path.join(desk, plan["cwd"]))  # noqa: PTH118
    try:
        import matplotlib
        import matplotlib.pyplot
    except Exception as error:
        _unfit("cannot import Matplotlib (" + str(error).split("\n")[0] + ")")
    version = tuple(int(part) for part in matplotlib.__version__.split(".")[:2])
    if version < _MATPLOTLIB:
        _unfit("has Matplotlib " + matplotlib.__version__ + ", and 3.8 or later is needed")
    from plotchain_lib.suites.matplotgym.importing.record import record

    record(plan, desk)


if __name__ == "__main__":
    main()
