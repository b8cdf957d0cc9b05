# make report   set everything up and build results/report.html
# make test     set everything up and run the tests
# make test-long  the slowest tests: killed runs, runs against faulty servers
# make slurm    what `snakemake --profile profiles/slurm` needs
# make lint     formatters, linters, types, import directions

PYTHON ?= python3
VENV ?= .venv
CORES ?= 8
BIN := $(VENV)/bin

.PHONY: report test test-long slurm lint setup

report: setup
	$(BIN)/python workflow/unlock.py
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/snakemake --cores $(CORES) results/report.html

test: setup $(VENV)/.inspect $(VENV)/.croissant
	$(BIN)/python -m pytest

test-long: setup $(VENV)/.inspect $(VENV)/.croissant $(if $(shell command -v sbatch),slurm)
	$(BIN)/python -m pytest -m long

slurm: setup $(VENV)/.slurm

lint: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/snakefmt --check --line-length 100 Snakefile workflow/rules
	$(BIN)/mypy
	MYPYPATH=tests/workflow:. $(BIN)/mypy --explicit-package-bases --follow-imports=silent --ignore-missing-imports benchmarks/*.py
	$(BIN)/lint-imports
	$(BIN)/snakemake --lint

setup: $(VENV)/.ready

$(VENV)/.ready: requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Python 3.11 or newer is needed: make PYTHON=python3.11")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $@

# Inspect runs what is exported to it, in the tests alone.
$(VENV)/.inspect: requirements-inspect.lock $(VENV)/.ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --requirement requirements-inspect.lock
	touch $@

# Croissant metadata is made where this is installed: make .venv/.croissant
$(VENV)/.croissant: requirements-croissant.lock $(VENV)/.ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --requirement requirements-croissant.lock
	touch $@

$(VENV)/.slurm: requirements-slurm.lock $(VENV)/.ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --requirement requirements-slurm.lock
	touch $@
