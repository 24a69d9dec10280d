# Each goal does all the set-up it needs; only make and Python 3.11 or later must be there.

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

# uv may lie in .uv/ (ours), where pip puts it for a user, or anywhere on the path.
FIND_UV = PATH="$(CURDIR)/.uv/bin:$$($(PYTHON) -m site --user-base)/bin:$$PATH"

# Status 1 of `simulate validate` says that a target is missed: a finding, not a failure to run.
REPORT_MISSES = || { [ $$? -eq 1 ] && echo "make: a family misses its targets, see above" >&2; }

# Leaving each outcome out takes two hours of processor time; `make docs LEAVE_OUT=` writes the page without it.
LEAVE_OUT = --leave-one-out

# Seconds that a law may take: the clusters that others published take 270 of a processor, all in one test.
LAW = 900

# The commit with which `make paired` compares.
BASE = HEAD~1

# Number of the first profile that is drawn of all that ships and held to the laws, and how many `make drawn` draws.
DRAWN = 0
COUNT = 200

# Seconds of inputs by chance, kills, and the seed of both, of `make fuzz`, and where it counts what it tried.
FUZZ = 3600
KILLS = 500
SEED = $(shell date +%s)
TALLY = tests/fuzz/tally.jsonl

export UV_PROJECT_ENVIRONMENT := .venv
unexport VIRTUAL_ENV PYTHONDONTWRITEBYTECODE

.PHONY: help setup demo gui lint test laws drawn slow collect fuzz inputs kills x11 docs reference validate bench paired screenshots package wheel fmt clean

help: ## list the goals
	@sed -n 's/^\([a-z0-9]*\):.*## /  make \1\t/p' Makefile

setup: $(READY) ## build .venv, compile its modules and the kernels

$(READY): pyproject.toml uv.lock $(wildcard simulator/*.py simulator/*/*.py)
	@$(FIND_UV); uv --version >/dev/null 2>&1 \
	|| $(PYTHON) -m pip install --quiet --user uv 2>/dev/null \
	|| { $(PYTHON) -m venv .uv && .uv/bin/python -m pip install --quiet uv; } \
	|| { echo "uv could not be fetched: install it, or pip, or venv (on Debian: apt-get install python3-venv)" >&2; exit 1; }
	$(FIND_UV) uv sync --locked --no-install-project
	$(BIN)/python -m simulator.warm & warmed=$$!; \
	$(BIN)/python -m compileall -q app headroom simulator models profiles \
	&& { $(BIN)/python -m compileall -qq -j 0 -x '/(tests?|templates)/' .venv/lib/python*/site-packages || true; } \
	&& wait $$warmed
	$(FIND_UV) uv sync --locked
	@touch $@

demo: setup ## compare HDFS with MinIO on the documented 12 nodes
	$(BIN)/simulate demo

gui: setup ## open the window
	-@$(BIN)/python -m app.gui.libraries
	$(BIN)/headroom

lint: setup ## lint, format and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

collect: setup # the tests as pytest rewrites them are kept, and each process that runs them reads them
	-@$(BIN)/python -m app.gui.libraries
	$(BIN)/pytest --collect-only -q >/dev/null

test: lint ## lint, types and tests
	-@$(BIN)/python -m app.gui.libraries
	$(BIN)/pytest -n 2 --dist worksteal

laws: setup ## hold every shipped profile to the laws, where test takes one of each kind
	LAWS=all DRAWN=$(DRAWN) $(BIN)/pytest -m "" -n 2 --dist worksteal --timeout $(LAW) tests/laws tests/simulator/fluid/test_fluid.py tests/simulator/together/test_loads_divided.py tests/theory tests/app/test_demo.py tests/app/test_report_forms.py tests/profiles/editing/test_edit.py tests/test_docs.py

drawn: setup ## draw 200 profiles, or COUNT, from number DRAWN on, of all that ships, and count how many keep the laws
	$(BIN)/python -m tests.laws.drawn.run --first $(DRAWN) --count $(COUNT)

slow: setup ## the tests that test leaves out, of which each takes more than three seconds
	$(BIN)/pytest -m slow -n 2 --dist worksteal

fuzz: inputs kills ## try inputs by chance for an hour, or FUZZ seconds, then 500 kills, or KILLS

inputs: setup
	$(BIN)/python -m tests.fuzz.run --seconds $(FUZZ) --seed $(SEED) --tally $(TALLY)

kills: setup
	$(BIN)/python -m tests.fuzz.kill --kills $(KILLS) --seed $(SEED)

x11: setup ## the tests of the window on a virtual X server, at 100, 150 and 200 %
	-@$(BIN)/python -m app.gui.libraries --x11
	for scale in 1 1.5 2; do QT_QPA_PLATFORM=xcb QT_SCALE_FACTOR=$$scale \
	xvfb-run -a -s "-screen 0 2800x1800x24" $(BIN)/pytest tests/gui || exit 1; done

docs: reference ## write docs/reference.md, docs/validation.md and its picture
	$(BIN)/simulate validate $(LEAVE_OUT) --markdown docs/validation.md --svg docs/images/parity.svg $(REPORT_MISSES)

reference: setup ## write every key of a profile into docs/reference.md
	$(BIN)/simulate reference > docs/reference.md

validate: setup ## re-run the documented benchmarks
	$(BIN)/simulate validate $(REPORT_MISSES)

bench: setup ## measure the engine and all that people wait for, into docs/performance.md
	$(BIN)/python tests/benchmarks/page.py docs/performance.md $(if $(SIMGRID),--simgrid $(SIMGRID))

paired: setup ## measure the engine beside that of commit BASE, keep both, and fail where it is over 15 % slower
	$(BIN)/python tests/benchmarks/paired.py $(BASE)

screenshots: setup ## take pictures of every page of the window, and renew those that the docs show
	$(BIN)/python tests/gui/screenshots.py build/screenshots
	cd docs/screenshots && for picture in *.png; do cp ../../build/screenshots/$$picture .; done

package: setup ## pack the program with all that it needs into dist/headroom, and try it
	$(FIND_UV) uv run --isolated --locked --no-dev --group package python -m package.build

wheel: setup ## build the wheel, install it apart, and try `import headroom` beside files with our names
	$(FIND_UV) $(BIN)/python -m package.wheel

fmt: setup ## format, and fix what ruff can fix
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean: ## remove all that was built
	rm -rf .venv .uv build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
