"""The container recipe: the project's lock and Python, no versions of its own, no root, no keys."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[1]
RECIPE = (ROOT / "Dockerfile").read_text()
LOCKS = {"requirements.lock", "requirements-inspect.lock", "requirements-croissant.lock"}


def instructions() -> list[tuple[str, str]]:
    """(instruction, what follows), comments left out and continued lines joined."""
    lines = [line for line in RECIPE.splitlines() if not line.startswith("#")]
    joined = "\n".join(lines).replace("\\\n", " ")
    split = (line.partition(" ") for line in joined.splitlines() if line.strip())
    return [(name, " ".join(rest.split())) for name, _, rest in split]


def stages() -> dict[str, list[tuple[str, str]]]:
    """Stage to its instructions; the first is its FROM."""
    found: dict[str, list[tuple[str, str]]] = {}
    for name, rest in instructions():
        if name == "FROM":
            found[rest.split()[-1]] = own = []
        own.append((name, rest))
    return found


def pip_installs() -> list[list[str]]:
    return [
        rest.removeprefix("pip install ").split()
        for name, rest in instructions()
        if name == "RUN" and rest.startswith("pip install ")
    ]


def test_its_python_is_the_projects() -> None:
    (image,) = {rest.split()[0] for name, rest in instructions() if rest.startswith("python:")}
    version = image.removeprefix("python:").removesuffix("-slim")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert Requirement(f"x{project['requires-python']}").specifier.contains(version)
    environment = yaml.safe_load((ROOT / "environment.yml").read_text())
    assert f"python={version}" in environment["dependencies"]
    built_on = [own[0][1].split()[0] for own in stages().values()]
    assert set(built_on) == {image, "base"}


def test_packages_come_from_the_locks_alone() -> None:
    assert not re.search(r"[=<>~]=", RECIPE)
    wanted = []
    for words in pip_installs():
        files = [words[n + 1] for n, word in enumerate(words) if word == "--requirement"]
        wanted += files
        others = [word for word in words if not word.startswith("--") and word not in files]
        assert others == ([] if files else ["."])
        # Only the lock itself may be resolved: it lists everything.
        assert "--no-deps" in words or files == ["requirements.lock"]
    assert wanted[0] == "requirements.lock"
    assert set(wanted) == LOCKS
    assert all((ROOT / name).is_file() for name in wanted)


def test_every_stage_that_runs_is_no_root() -> None:
    ends = {name: dict(own) for name, own in stages().items() if name != "base"}
    assert {name: end["USER"] for name, end in ends.items()} == {
        "test": "plotchain", "report": "plotchain",
    }  # fmt: skip
    assert list(ends)[-1] == "report"  # what is built where no stage is named
    assert ends["report"]["CMD"].startswith('["snakemake"')
    assert ends["test"]["CMD"] == '["python", "-m", "pytest"]'


def test_it_says_that_it_was_not_built_and_holds_no_secret() -> None:
    assert "NOT BUILT" in RECIPE
    assert not re.search(r"(ARG|ENV)[^\n]*(KEY|TOKEN)", RECIPE)


@pytest.mark.parametrize("line", [*(ROOT / ".gitignore").read_text().split(), ".git"])
def test_what_git_leaves_out_no_image_holds(line: str) -> None:
    ignored = {
        entry.removeprefix("**/")
        for entry in (ROOT / ".dockerignore").read_text().splitlines()
        if not entry.startswith("#")
    }
    assert line.strip("/") in ignored
