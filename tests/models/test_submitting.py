"""Local agents: which script they submit, and how they say it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from plotchain_lib import models
from plotchain_lib.item import Item, PlotChainError, Request
from plotchain_lib.suites.matplotgym.agents import LAZY
from plotchain_lib.suites.matplotgym.protocol import parse
from plotchain_lib.suites.matplotgym.words import DECISIONS

ITEM = Item("t", "matplotgym", "physics", "physics", "?", None, (), {}, {}, None, "")
SCRIPT = 'print("""```done\n```""")\n'


def source(folder: Path) -> Path:
    names = ["reference", *LAZY, *(f"degraded-{decision}" for decision in DECISIONS)]
    scripts = {name: f"# {name}\n{SCRIPT}" for name in names}
    path = folder / "floor.json"
    path.write_text(json.dumps({"shards": {"physics": {"folds": [], "scripts": {"t": scripts}}}}))
    return path


@pytest.mark.parametrize(
    ("settings", "name"),
    [
        ({"kind": "reference"}, "reference"),
        *(({"kind": "lazy", "figure": name.removeprefix("lazy-")}, name) for name in LAZY),
        *(({"kind": "degraded", "decision": name}, f"degraded-{name}") for name in DECISIONS),
    ],
)
def test_it_writes_its_script_and_is_done(
    tmp_path: Path, settings: dict[str, str], name: str
) -> None:
    module = models.load(settings["kind"])
    module.check(settings)
    material = module.material(source(tmp_path), ITEM)
    assert material is not None
    turns = [{"role": "user", "text": "?"}]
    first = module.answer(Request(settings["kind"], settings, "?", (), None, 1, material, "t",
                                  tuple(turns)))  # fmt: skip
    action = parse(first.text)
    # The script's own fences end nothing.
    assert (action.kind, action.path) == ("write", "make_figure.py")
    assert action.text.strip() == f"# {name}\n{SCRIPT}".strip()
    turns += [{"role": "assistant", "text": first.text}, {"role": "user", "text": "written"}]
    last = module.answer(Request(settings["kind"], settings, "?", (), None, 1, material, "t",
                                 tuple(turns)))  # fmt: skip
    assert parse(last.text).kind == "done"


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"kind": "lazy"}, "needs the setting 'figure'"),
        ({"kind": "lazy", "figure": "all"}, "figure: 'all'; use columns or table or nothing"),
        ({"kind": "degraded", "decision": "style"}, "decision: 'style'; use one of"),
        ({"kind": "reference", "figure": "all"}, "has no setting 'figure'"),
    ],
)
def test_wrong_settings(settings: dict[str, str], said: str) -> None:
    with pytest.raises(PlotChainError, match=said):
        models.load(settings["kind"]).check(settings)


def test_what_was_not_prepared_is_told(tmp_path: Path) -> None:
    module, path = models.load("reference"), source(tmp_path)
    other = Item("u", "matplotgym", "physics", "physics", "?", None, (), {}, {}, None, "")
    with pytest.raises(PlotChainError, match="no script 'u' for item 'u'"):
        module.material(path, other)
    path.write_text('{"shards": {"physics": {"folds": []}}}')
    with pytest.raises(PlotChainError, match="holds no agents' scripts"):
        module.material(path, ITEM)
    with pytest.raises(PlotChainError, match="cannot be read"):
        module.material(tmp_path / "none.json", ITEM)


def test_who_answers_what() -> None:
    answering = {
        kind: [what for what in ("question", "episode") if models.can_answer(kind, what)]
        for kind in models.KINDS
    }
    assert answering["reader"] == answering["blind"] == answering["recorded"] == ["question"]
    assert answering["reference"] == answering["lazy"] == answering["degraded"] == ["episode"]
    assert answering["openai"] == answering["anthropic"] == ["question", "episode"]
