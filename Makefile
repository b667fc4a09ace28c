# One command for everything; `make help` lists them. Paths are relative and quoted, so the checkout may live anywhere.

SHELL := /bin/sh
.DEFAULT_GOAL := help

# A Python of 3.11 or newer makes .venv; without the variable the first suitable one of CANDIDATES is taken.
PYTHON ?=
CANDIDATES := python3.11 python3.12 python3.13 python3.14 python3 python
WORKERS ?= 2

VENV := .venv
RUN := $(VENV)/bin/python
STAMP := $(VENV)/.setup-done

# A foreign interpreter's paths must not leak into .venv.
unexport PYTHONPATH PYTHONHOME VIRTUAL_ENV PIP_TARGET PIP_USER PIP_PREFIX PIP_REQUIRE_VIRTUALENV
export PIP_DISABLE_PIP_VERSION_CHECK := 1

# The stamp holds the folder that .venv was made in: a moved, half-made or broken .venv is made anew, an old one is only updated.
USABLE := $(shell test "$$(cat $(STAMP) 2>/dev/null)" = "$$(pwd -P)" && $(RUN) -m pip --version >/dev/null 2>&1 && echo yes)
ifneq ($(USABLE),yes)
.PHONY: $(STAMP)
endif

.PHONY: help setup demo test test-scale lint format package clean

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile

setup: $(STAMP) ## make .venv with memdb and the development tools; does nothing when it is up to date

$(STAMP): pyproject.toml constraints.txt
	@if test "$(USABLE)" != yes; then \
	  found=; \
	  for candidate in $(if $(PYTHON),"$(PYTHON)",$(CANDIDATES)); do \
	    if "$$candidate" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then found="$$candidate"; break; fi; \
	  done; \
	  if test -z "$$found"; then \
	    echo "memdb needs Python 3.11 or newer with venv and ensurepip; tried: $(or $(PYTHON),$(CANDIDATES)). Install one, or name it: make setup PYTHON=/path/to/python" >&2; \
	    exit 1; \
	  fi; \
	  echo "making $(VENV) with $$("$$found" --version)"; \
	  "$$found" -m venv --clear "$(VENV)"; \
	fi
	@echo "installing memdb and its tools into $(VENV); the first time takes some minutes"
	@# The pip of a fresh environment may be too old for dependency groups.
	@"$(RUN)" -m pip install --quiet --upgrade --constraint constraints.txt pip
	@"$(RUN)" -m pip install --quiet --constraint constraints.txt --build-constraint constraints.txt --editable . --group dev
	@pwd -P > "$(STAMP)"

demo: setup ## start memdb, write a small conversation, ask it questions
	"$(VENV)/bin/memdb" demo

test: setup ## run the tests, except those of scale
	"$(RUN)" -m pytest -n $(WORKERS) --dist worksteal -m "not scale" $(ARGS)

test-scale: setup ## run the tests that need minutes and 200,000 rows
	"$(RUN)" -m pytest -m scale $(ARGS)

lint: setup ## check style, format, types and import contracts
	"$(RUN)" -m ruff check .
	"$(RUN)" -m ruff format --check .
	"$(RUN)" -m mypy
	"$(VENV)/bin/lint-imports" --no-logo

format: setup ## put the code into its one format and apply safe fixes
	"$(RUN)" -m ruff check --fix .
	"$(RUN)" -m ruff format .

package: setup ## build wheel and sdist into dist/
	"$(RUN)" -m build --no-isolation --outdir dist .

clean: ## remove what the other commands made, .venv too; data directories stay
	rm -rf "$(VENV)" dist build htmlcov .coverage .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
