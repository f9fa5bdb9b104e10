# Every target sets up what it needs in .venv; only Python 3.11+ and make have to be there.
PYTHON ?= python3
HAND ?= data/hands/example.txt
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
ARGS ?=

.PHONY: advise test lint bench notebooks clean

advise: $(VENV)/.run
	@$(BIN)/advise $(ARGS) "$(HAND)"

test: $(VENV)/.dev
	$(BIN)/python -m pytest $(ARGS)

lint: $(VENV)/.dev
	$(BIN)/python -m ruff check .
	$(BIN)/python -m mypy

bench: $(VENV)/.dev
	$(BIN)/python -m benchmarks $(ARGS)

notebooks: $(VENV)/.dev
	$(BIN)/python -m benchmarks.notebooks

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run: pyproject.toml constraints.txt | $(VENV)/bin/python
	@echo "setting up $(VENV) (once) ..."
	$(PIP) install --constraint constraints.txt --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.run
	$(PIP) install --constraint constraints.txt --editable ".[dev]"
	@touch $@
