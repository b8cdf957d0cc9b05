"""One set of versions: pyproject, lock and environment agree."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]


def locked(name: str = "requirements.lock") -> dict[str, str]:
    lines = (ROOT / name).read_text().splitlines()
    pins = [line.split("==") for line in lines if line and not line.startswith("#")]
    assert all(len(pin) == 2 for pin in pins)
    return {canonicalize_name(name): pin for name, pin in pins}


def wanted() -> list[Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    tests = project["optional-dependencies"]["test"]
    return [Requirement(text) for text in (*project["dependencies"], *tests)]


@pytest.mark.parametrize("requirement", wanted(), ids=str)
def test_lock_satisfies_the_project(requirement: Requirement) -> None:
    assert requirement.specifier.contains(locked()[canonicalize_name(requirement.name)])


def test_locks_satisfy_the_exports_and_pin_nothing_twice() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"][
        "optional-dependencies"
    ]
    main, *others = map(
        locked, ("requirements.lock", "requirements-inspect.lock", "requirements-croissant.lock")
    )
    together = main | others[0] | others[1]
    assert len(together) == sum(map(len, (main, *others)))
    for text in (*extras["exports"], *extras["croissant"]):
        requirement = Requirement(text)
        assert requirement.specifier.contains(together[canonicalize_name(requirement.name)])
    assert "datasets" in main and "inspect-ai" in others[0] and "mlcroissant" in others[1]
    setup = (ROOT / "Makefile").read_text()
    for name in ("inspect", "croissant"):
        assert f"--requirement requirements-{name}.lock" in setup


def test_lock_of_slurm_satisfies_the_extra_and_pins_nothing_twice() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    slurm = locked("requirements-slurm.lock")
    for name in ("requirements.lock", "requirements-inspect.lock", "requirements-croissant.lock"):
        assert not set(slurm) & set(locked(name))
    for text in project["optional-dependencies"]["slurm"]:
        requirement = Requirement(text)
        assert requirement.specifier.contains(slurm[canonicalize_name(requirement.name)])
    setup = (ROOT / "Makefile").read_text()
    assert "--no-deps --requirement requirements-slurm.lock" in setup


def test_conda_environment_installs_the_lock_and_the_project() -> None:
    environment = yaml.safe_load((ROOT / "environment.yml").read_text())
    packages = environment["dependencies"]
    (pip,) = [entry["pip"] for entry in packages if isinstance(entry, dict)]
    assert pip == ["--requirement requirements.lock", "--no-deps --editable ."]
    python = next(text for text in packages if str(text).startswith("python="))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert Requirement(f"x{project['requires-python']}").specifier.contains(python.split("=")[1])
    assert [text for text in packages if isinstance(text, str)] == [python, "pip"]


def job_pins(environment: str) -> dict[str, str]:
    text = (ROOT / "workflow/envs" / environment).read_text()
    (pip,) = [e["pip"] for e in yaml.safe_load(text)["dependencies"] if isinstance(e, dict)]
    return dict(entry.split("==") for entry in pip)


def test_jobs_environment_has_the_locked_versions_of_what_the_project_needs() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    names = {Requirement(text).name for text in project["dependencies"]}
    pins = {name: locked()[canonicalize_name(name)] for name in names}
    assert job_pins("plotchain.yaml") == pins
    library = locked("requirements-croissant.lock")["mlcroissant"]
    assert job_pins("croissant.yaml") == pins | {"mlcroissant": library}


def test_installed_versions_are_the_locked_ones() -> None:
    for name in ("snakemake", "numpy", "matplotlib", "pandas", "pyarrow", "scipy"):
        assert version(name) == locked()[name]


def test_no_tracked_file_names_a_registry() -> None:
    pattern = re.compile(r"https?://[^\s\"']*(pypi|simple|npm|anaconda)", re.IGNORECASE)
    for path in (
        "requirements.lock",
        "requirements-inspect.lock",
        "requirements-croissant.lock",
        "requirements-slurm.lock",
        "environment.yml",
        "pyproject.toml",
        "Makefile",
        ".ci/run",
    ):
        assert not pattern.search((ROOT / path).read_text()), path
