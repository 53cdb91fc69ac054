# Everything the project does, each target from a clean clone.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
# How many tests run side by side: a number, "auto" for one per processor, or 0 for all in one process.
WORKERS ?= auto
# How many damaged model files `make fuzz` loads.
FUZZ ?= 200000
PYTEST := $(BIN)/python -m pytest --quiet --numprocesses $(WORKERS) --dist worksteal
KERNEL := $(shell find crates -name '*.rs' -o -name 'Cargo.toml') Cargo.toml Cargo.lock rustfmt.toml pyproject.toml

.DEFAULT_GOAL := help
.PHONY: help serve install browser database demo test soak fuzz lint docs format bench accuracy clean

help: ## List the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /\1\t/' | expand -t 10

$(VENV)/.tools: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --group dev
	touch $@

$(VENV)/.kernel: $(VENV)/.tools $(KERNEL)
	VIRTUAL_ENV=$(CURDIR)/$(VENV) $(BIN)/maturin develop --release --quiet > /dev/null
	touch $@

# Snowball's stemmers in JavaScript come from the package registry. Without them, pages cannot use models with stems.
$(VENV)/.stemmers: tools/fetch_stemmers.py python/likely/report/live/scripts.py | $(VENV)/.kernel
	@$(BIN)/python tools/fetch_stemmers.py && touch $@ || \
		echo "The stemmers could not be fetched: pages cannot use models with stems."

install: $(VENV)/.kernel $(VENV)/.stemmers ## Create .venv, build the kernel, install the package for development

# Tests of pages need Chromium. They are skipped, and say so, where it is missing and cannot be installed.
browser: ## Install Debian's Chromium for the tests of pages, if it is missing and you are root
	@command -v chromium > /dev/null || if [ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null; then \
		apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium > /dev/null || \
		echo "Chromium could not be installed: the tests of pages are skipped."; \
	else echo "Chromium is not installed: the tests of pages are skipped."; fi

# Tests of stores in PostgreSQL start a server of their own. They are skipped, and say so, where it is missing.
database: ## Install Debian's PostgreSQL for the tests of stores, if it is missing and you are root
	@ls /usr/lib/postgresql/*/bin/initdb > /dev/null 2>&1 || command -v initdb > /dev/null || \
	if [ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null; then \
		apt-get update -qq && apt-get install -y -qq --no-install-recommends postgresql > /dev/null || \
		echo "PostgreSQL could not be installed: the tests of stores in it are skipped."; \
	else echo "PostgreSQL is not installed: the tests of stores in it are skipped."; fi

demo: install ## Train, evaluate and explain on the sample corpus
	@$(BIN)/likely demo

serve: install ## Train a model on the sample corpus and serve it, with a page to try and teach it
	@mkdir -p $(VENV)/serve && $(BIN)/likely train python/likely/data/sample.csv -o $(VENV)/serve/demo.likely > /dev/null
	@$(BIN)/likely serve $(VENV)/serve/demo.likely --store $(VENV)/serve/demo.store

test: install browser database ## Run all tests: Rust, then Python (WORKERS=2 to run that many at once)
	cargo test --quiet -p likely-core
	$(PYTEST)

# The figures of a run are in docs/testing.md.
soak: install browser database ## Run the long forms of the tests: many more texts, kills, bad clients and documents (hours)
	HYPOTHESIS_PROFILE=long $(PYTEST) --timeout 3600 tests/property tests/unit/evaluation tests/unit/reading
	LIKELY_KILLS=400 $(PYTEST) --timeout 3600 tests/cli/test_killed.py tests/unit/storage
	LIKELY_KILLS=2000 LIKELY_REPLICA_KILLS=200 LIKELY_CALLS=400 LIKELY_ABUSE=10000 LIKELY_SLOW=200 LIKELY_LOAD=20000 \
		$(PYTEST) --timeout 36000 tests/server
	$(BIN)/python -m benchmarks.soak

fuzz: install ## Load many more damaged model files than the tests do (minutes; FUZZ=100000 for that many)
	LIKELY_FUZZ=$(FUZZ) $(PYTEST) --timeout 36000 -k whatever_is_damaged tests/unit/storage/test_hostile_files.py

lint: install ## Check formatting, lints, types and stubs
	cargo fmt --all --check
	cargo clippy --quiet --workspace --all-targets -- -D warnings
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m mypy.stubtest likely._native --ignore-disjoint-bases
	$(BIN)/python tools/reference.py --check

docs: install ## Write the reference page anew from the code
	$(BIN)/python tools/reference.py

format: install ## Rewrite the sources in the house style
	cargo fmt --all
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

benchmarks/.venv/.peers: pyproject.toml
	$(PYTHON) -m venv benchmarks/.venv
	benchmarks/.venv/bin/python -m pip install --quiet --upgrade "pip>=25.1"
	benchmarks/.venv/bin/python -m pip install --quiet --group peers
	touch $@

bench: install benchmarks/.venv/.peers ## Measure speed and memory against peers
	$(BIN)/python -m benchmarks.run

accuracy: install benchmarks/.venv/.peers ## Measure accuracy and calibration on the corpora of LIKELY_DATA (half an hour)
	$(BIN)/python -m benchmarks.accuracy

clean: ## Remove everything that was built
	rm -rf $(VENV) benchmarks/.venv target python/likely/_native*.so python/likely/data/live/stemmers
