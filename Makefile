# Every target does its own set-up: a virtual environment of its own, versions locked with hashes.
.DEFAULT_GOAL := help
.PHONY: help demo test lint bench test-bge lock clean setup

VENV := .venv
BGE := .venv-bge
STAMP := $(VENV)/.ready
BGE_STAMP := $(BGE)/.ready
BIN := $(VENV)/bin
LOCKS := requirements/bootstrap.lock requirements/dev.lock pyproject.toml
PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3 python3.14 python; do \
	command -v $$p >/dev/null 2>&1 && $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
COMPILE := $(BIN)/uv pip compile pyproject.toml --universal --generate-hashes --python-version 3.11 \
	--no-emit-index-url --no-emit-find-links --no-header --no-annotate -q

help:  ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 12

demo: $(STAMP)  ## load the bundled story and ask it a dozen questions
	@$(BIN)/graphsvc demo

test: $(STAMP) lint  ## lint, types, import contract and tests
	$(BIN)/python -m pytest

lint: $(STAMP)  ## ruff, mypy and the import contract
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(STAMP)  ## store latencies at 100,000 memories; with DATA=folder also recall on public sets
	$(BIN)/python -m tests.benchmarks.bench $(if $(DATA),--data $(DATA)) $(ARGS)

test-bge: $(BGE_STAMP)  ## the tests of the bge extra, in an environment of their own (some 5 GB)
	HF_HUB_OFFLINE=1 $(BGE)/bin/python -m pytest tests/bge

lock: $(STAMP)  ## resolve the versions anew
	$(COMPILE) -o requirements/runtime.lock --upgrade
	$(COMPILE) --group dev -c requirements/runtime.lock -o requirements/dev.lock --upgrade
	$(COMPILE) --group dev --extra bge -c requirements/dev.lock -o requirements/bge.lock --upgrade

clean:  ## remove environments, caches and the demo's store
	rm -rf $(VENV) $(BGE) .graphsvc .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache dist build

setup: $(STAMP)  ## the environment alone

$(STAMP): $(LOCKS)
	@test -n "$(PYTHON)" || { echo "graphsvc needs Python 3.11 or newer, and none was found on the PATH." >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || { \
		echo "$(PYTHON) cannot make a virtual environment; install its venv package (python3-venv on Debian)." >&2; exit 1; }
	@$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements/bootstrap.lock
	@VIRTUAL_ENV=$(CURDIR)/$(VENV) $(BIN)/uv pip sync -q --require-hashes requirements/dev.lock
	@VIRTUAL_ENV=$(CURDIR)/$(VENV) $(BIN)/uv pip install -q --no-deps --no-build-isolation -e .
	@touch $@

$(BGE_STAMP): $(STAMP) requirements/bge.lock
	@$(BIN)/uv venv -q --allow-existing --python $(BIN)/python $(BGE)
	@VIRTUAL_ENV=$(CURDIR)/$(BGE) $(BIN)/uv pip sync -q --require-hashes requirements/bge.lock
	@VIRTUAL_ENV=$(CURDIR)/$(BGE) $(BIN)/uv pip install -q --no-deps --no-build-isolation -e .
	@touch $@
