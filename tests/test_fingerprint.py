"""A fingerprint follows what is imported, and only content."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from plotchain_lib import fingerprint as module
from plotchain_lib.fingerprint import closure, fingerprint


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "plotchain_lib"
    (folder / "sub").mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (folder / "sub" / "__init__.py").write_text("from plotchain_lib import leaf\n")
    (folder / "sub" / "stage.py").write_text(
        "import numpy\nfrom plotchain_lib.item import (\n    Item,\n)\n"
    )
    (folder / "item.py").write_text("Item = 1\n")
    (folder / "leaf.py").write_text("")
    (folder / "stranger.py").write_text("")
    monkeypatch.setattr(module, "_ROOT", tmp_path)
    for function in (module._source, module._imports, module.fingerprint):
        function.cache_clear()
    return folder


def again(*modules: str) -> str:
    for function in (module._source, module._imports, module.fingerprint):
        function.cache_clear()
    return fingerprint(*modules)


def test_closure_follows_imports_and_parent_packages(package: Path) -> None:
    assert closure("plotchain_lib.sub.stage") == [
        "plotchain_lib.item", "plotchain_lib.leaf", "plotchain_lib.sub", "plotchain_lib.sub.stage",
    ]  # fmt: skip


def test_an_edit_counts_and_a_touch_or_a_stranger_does_not(package: Path) -> None:
    before = again("plotchain_lib.sub.stage")
    os.utime(package / "item.py", (1, 1))
    (package / "stranger.py").write_text("x = 1\n")
    assert again("plotchain_lib.sub.stage") == before
    (package / "item.py").write_text("Item = 2\n")
    assert again("plotchain_lib.sub.stage") != before


def test_unknown_module_is_refused(package: Path) -> None:
    with pytest.raises(ModuleNotFoundError):
        again("plotchain_lib.nothing")


@pytest.mark.parametrize("maker", ["plotchain", "grab", "grab.choice", "grab.ocr"])
@pytest.mark.parametrize("stage", ["floor", "validation", "render"])
def test_an_edit_of_reading_or_judging_draws_nothing_again(maker: str, stage: str) -> None:
    later = ("parse", "score", "policy", "metrics", "statistics", "report", "query", "models")
    found = closure(f"plotchain_lib.suites.{maker}.{stage}")
    assert f"plotchain_lib.suites.{maker.split('.')[0]}" in found
    assert [name for name in found if name.split(".")[1] in later] == []
