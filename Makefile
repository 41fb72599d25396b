# Every target does its own set-up: a virtual environment of its own, versions locked with hashes.
.DEFAULT_GOAL := help
.PHONY: help demo test lint bench test-bge test-wheel lock clean setup

VENV := .venv
BGE := .venv-bge
WHEEL := .venv-wheel
BIN := $(VENV)/bin
LOCKS := requirements/bootstrap.lock requirements/dev.lock pyproject.toml
# A stamp is named by what it was made from, so a change of branch or a moved folder is noticed and an old date is not.
key = $(shell { pwd; cat $(1); } | cksum | tr -d ' ')
STAMP := $(VENV)/.ready-$(call key,$(LOCKS))
BGE_STAMP := $(BGE)/.ready-$(call key,requirements/bge.lock pyproject.toml)
BGE_NEEDS_KB := 12000000
SUITABLE := import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3 python3.14 python; do \
	command -v $$p >/dev/null 2>&1 && $$p -c '$(SUITABLE)' 2>/dev/null && echo $$p && break; done)
COMPILE := $(BIN)/uv pip compile pyproject.toml --universal --generate-hashes --python-version 3.11 \
	--fork-strategy fewest --no-emit-index-url --no-emit-find-links --no-header --no-annotate -q

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

test-wheel: $(STAMP)  ## build the wheel, install it alone with its locked dependencies, run the demo from it
	@rm -rf $(WHEEL) && mkdir -p $(WHEEL)
	@$(BIN)/uv build -q --wheel --no-build-isolation --python $(BIN)/python -o $(WHEEL)/dist
	@$(BIN)/uv venv -q --python $(BIN)/python $(WHEEL)/env
	@$(BIN)/uv pip sync -q --python $(WHEEL)/env/bin/python --require-hashes requirements/runtime.lock
	@$(BIN)/uv pip install -q --python $(WHEEL)/env/bin/python --no-deps $(WHEEL)/dist/*.whl
	@cd $(WHEEL) && env/bin/graphsvc demo >demo.txt || { cat demo.txt >&2; exit 1; }
	@echo "The wheel stands alone: its demo wrote $$(wc -l <$(WHEEL)/demo.txt) lines." && rm -rf $(WHEEL)

lock: $(STAMP)  ## resolve the versions anew
	$(COMPILE) -o requirements/runtime.lock --upgrade
	$(COMPILE) --group dev -c requirements/runtime.lock -o requirements/dev.lock --upgrade
	$(COMPILE) --group dev --extra bge -c requirements/dev.lock -o requirements/bge.lock --upgrade

clean:  ## remove environments, caches and the demo's store
	rm -rf $(VENV) $(BGE) $(WHEEL) .graphsvc .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache dist build

setup: $(STAMP)  ## the environment alone

$(STAMP):
	@test -n "$(PYTHON)" && "$(PYTHON)" -c '$(SUITABLE)' || { echo "graphsvc needs Python 3.11 or newer with its venv and" \
		"ensurepip modules (python3-venv on Debian and Ubuntu), and found none on the PATH." >&2; \
		echo "Name one that lies elsewhere: make PYTHON=/path/to/python3" >&2; exit 1; }
	@rm -f $(VENV)/.ready-*
	@$(BIN)/python -m pip --version >/dev/null 2>&1 && grep -qsF "$(CURDIR)/$(VENV)" $(BIN)/activate || \
		"$(PYTHON)" -m venv --clear $(VENV)
	@$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements/bootstrap.lock
	@$(BIN)/uv pip sync -q --python $(BIN)/python --require-hashes requirements/dev.lock
	@$(BIN)/uv pip install -q --python $(BIN)/python --no-deps --no-build-isolation -e .
	@touch $@

$(BGE_STAMP): $(STAMP)
	@free=$$(df -Pk . | awk 'NR == 2 { print $$4 }'); test "$$free" -ge $(BGE_NEEDS_KB) || { \
		echo "NOT TESTED: the bge extra needs 12 GB of free disk here, and $$((free / 1000000)) GB are free." >&2; exit 1; }
	@$(BIN)/uv venv -q --clear --python $(BIN)/python $(BGE)
	@$(BIN)/uv pip sync -q --python $(BGE)/bin/python --require-hashes requirements/bge.lock
	@$(BIN)/uv pip install -q --python $(BGE)/bin/python --no-deps --no-build-isolation -e .
	@touch $@
