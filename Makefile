# Two commands do everything: `make demo` and `make test`. All they assume is Python 3.11 or newer, git and make.

PYTHON ?= python3
VENV := .venv
STAMP := $(VENV)/.installed
PIP := $(VENV)/bin/python -m pip --disable-pip-version-check --quiet

export PATH := $(CURDIR)/$(VENV)/bin:$(PATH)
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.PHONY: help demo test check lock clean
.DEFAULT_GOAL := help

help:
	@echo "make demo    emit a cohort of 1,000 roots, look at one of them, score the exact oracle"
	@echo "make test    everything that must hold: ruff, mypy, all tests with branch coverage"
	@echo "make check   only ruff and mypy"
	@echo "make lock    refresh constraints.txt (needs Python 3.11, the oldest supported)"
	@echo "make clean   remove what the targets above made"

$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "worldgen needs Python 3.11 or newer; '$(PYTHON)' is $$($(PYTHON) --version 2>/dev/null || echo missing)" >&2; \
	  echo "  try: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@echo "installing into $(VENV): about a minute, and only when pyproject.toml or constraints.txt change"
	@test -x $(VENV)/bin/pip || $(PYTHON) -m venv --clear $(VENV)
	@$(PIP) install --constraint constraints.txt setuptools
	@$(PIP) install --constraint constraints.txt --no-build-isolation --editable '.[dev]'
	@touch $(STAMP)

demo: $(STAMP)
	@rm -rf build/cohort build/oracle.parquet
	worldgen emit contracts --roots 1000 --seed 7 --out build/cohort
	worldgen preview contracts --seed 7 --stratum noisy-sensor.joined-tables --root
	worldgen oracle build/cohort --out build/oracle.parquet
	worldgen score build/cohort build/oracle.parquet

check: $(STAMP)
	ruff check --quiet .
	ruff format --quiet --check .
	mypy --no-error-summary

test: check
	pytest --quiet --numprocesses auto --dist worksteal --cov --cov-report term

# A fresh environment, resolved without constraints; what pip chose becomes the constraints.
lock:
	@rm -rf build/lock
	@$(PYTHON) -m venv build/lock
	@build/lock/bin/python -m pip --quiet install --upgrade pip setuptools
	@build/lock/bin/python -m pip --quiet install --no-build-isolation --editable '.[dev]'
	@{ echo "# What \`make\` installs: the whole development environment, as pip resolved it. Refresh: make lock"; \
	  build/lock/bin/python -m pip freeze --all --exclude pip --exclude-editable; } > build/constraints.txt
	@mv build/constraints.txt constraints.txt
	@rm -rf build/lock

clean:
	rm -rf $(VENV) build dist *.egg-info .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache
