# Two commands do everything on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
STORE := demo-store
# One task of each of the 15 sub-categories, all in one world.
DEMO := --tasks 'indoor/0?' --tasks 'indoor/1[0-5]'
JOBS := 2

.PHONY: demo test test-full lint types contracts unit perf clean graphics browser

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.demo: pyproject.toml | $(VENV)/bin/python
	$(PIP) install -e '.[mujoco]'
	touch $@

$(VENV)/.test: pyproject.toml constraints-ci.txt | $(VENV)/bin/python
	$(PIP) install -c constraints-ci.txt torch
	$(PIP) install -c constraints-ci.txt -e '.[all,dev]'
	touch $@ $(VENV)/.demo

# Headless OpenGL and Chromium come from the system; as root on Debian they are installed, elsewhere named.
graphics:
	@$(PYTHON) -c "import ctypes; ctypes.CDLL('libEGL.so.1'); ctypes.CDLL('libGLESv2.so.2')" 2>/dev/null \
	  || sh tests/system-packages.sh libegl1 libgl1-mesa-dri libgles2

browser:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null \
	  || sh tests/system-packages.sh chromium

demo: graphics $(VENV)/.demo
	@for model in oracle random null shotgun; do \
	  $(BIN)/embodied-eval run worldaudit --model scripted/$$model $(DEMO) --store $(STORE) --concurrency $(JOBS) --resume || exit $$?; \
	done
	@echo "Report: $$($(BIN)/embodied-eval report --store $(STORE))"

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.test
	$(BIN)/mypy

contracts: $(VENV)/.test
	$(BIN)/lint-imports

unit: graphics browser $(VENV)/.test
	$(BIN)/python -m pytest -n $(JOBS) --dist loadgroup -m 'not full'

test: lint types contracts unit

test-full: test
	$(BIN)/python -m pytest -n $(JOBS) --dist loadgroup -m full

perf: graphics browser $(VENV)/.test
	$(BIN)/python -m tests.perf.harness
	$(BIN)/python -m tests.perf.startup
	$(BIN)/python -m tests.perf.store
	$(BIN)/python -m tests.perf.render
	$(BIN)/python -m tests.perf.page_step $(if $(BROWSERGYM),--browsergym $(BROWSERGYM))
	$(BIN)/python -m tests.perf.page_still
	$(BIN)/python -m tests.perf.threejs_walk
	$(BIN)/python -m tests.perf.unrealcv_throughput
	$(BIN)/python -m tests.perf.unrealcv_capture
	$(BIN)/python -m tests.perf.unrealcv_faults
	$(BIN)/python -m tests.perf.unrealcv_episode
	$(BIN)/python -m tests.perf.vla

clean:
	rm -rf $(VENV) $(STORE) .mypy_cache .ruff_cache .pytest_cache .hypothesis
