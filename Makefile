# Everything the project does, each target from a clean clone.
# rustup puts cargo where a shell that was open before does not look.
export PATH := $(PATH):$(HOME)/.cargo/bin
# The first of some Pythons that is new enough and can make environments.
able = $(shell for found in $(1); do \
	$$found -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2> /dev/null && echo $$found && break; done)
PYTHON ?= $(call able,python3.11 python3.12 python3.13 python3.14 python3)
# The other Python on which `make wheel` tries the wheel.
NEWEST ?= $(call able,python3.15 python3.14 python3.13 $(wildcard $(HOME)/.pyenv/versions/3.1[3-9]*/bin/python) python3.12 $(PYTHON))
VENV := .venv
BIN := $(VENV)/bin
LOG := $(VENV)/build.log
# How many tests run side by side: a number, "auto" for one per processor, or 0 for all in one process.
WORKERS ?= auto
# How many damaged model files `make fuzz` loads.
FUZZ ?= 200000
FUZZ_SECONDS ?= 600
# Checks the types of the scripts of pages, by their comments.
TYPESCRIPT := typescript@5.9.3
PYTEST := $(BIN)/python -m pytest --quiet --numprocesses $(WORKERS) --dist worksteal
RUST := $(shell find crates -name '*.rs' -o -name 'Cargo.toml') Cargo.toml Cargo.lock rustfmt.toml pyproject.toml
# The kernel there is: the optimized one of `make install` and of what needs it, or else one that builds in half the time.
OPTIMIZED := $(filter install soak fuzz bench accuracy,$(MAKECMDGOALS)) $(wildcard $(VENV)/.kernel)
KERNEL := $(VENV)/$(if $(strip $(OPTIMIZED)),.kernel,.quick)

.DEFAULT_GOAL := help
.PHONY: help serve install browser database demo wheel test soak fuzz lint docs format bench accuracy clean

help: ## List the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /\1\t/' | expand -t 10

# Crates are downloaded while pip works.
$(VENV)/.build: pyproject.toml
	@tools/prerequisites.sh "$(PYTHON)"
	@echo "Downloading the build tools: maturin, and the Rust crates of the kernel"
	@cargo fetch --locked --quiet & \
	{ test -x $(BIN)/python || $(PYTHON) -m venv $(VENV); } && \
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1" && \
	$(BIN)/python -m pip install --quiet --group build && wait $$! && touch $@

$(VENV)/.tests: $(VENV)/.build
	@echo "Downloading the libraries of the tests and checks: some are large"
	@$(BIN)/python -m pip install --quiet --group test
	@touch $@

$(VENV)/.quick: $(VENV)/.build $(RUST)
	@echo "Building the kernel, and installing likely with click, jinja2 and numpy: two to three minutes the first time"
	@CARGO_INCREMENTAL=0 VIRTUAL_ENV=$(CURDIR)/$(VENV) $(BIN)/maturin develop --profile quick > $(LOG) 2>&1 || { cat $(LOG); exit 1; }
	@touch $@

$(VENV)/.kernel: $(VENV)/.build $(RUST)
	@echo "Building the optimized kernel: about five minutes the first time"
	@VIRTUAL_ENV=$(CURDIR)/$(VENV) $(BIN)/maturin develop --release > $(LOG) 2>&1 || { cat $(LOG); exit 1; }
	@touch $@

$(VENV)/.wheel: $(VENV)/.build
	@echo "Downloading Zig, which links for an old glibc"
	@$(BIN)/python -m pip install --quiet --group wheel
	@touch $@

# Snowball's stemmers in JavaScript come from the package registry. Without them, pages cannot use models with stems.
$(VENV)/.stemmers: tools/fetch_stemmers.py python/likely/report/live/scripts.py | $(VENV)/.build
	@$(BIN)/python tools/fetch_stemmers.py && touch $@ || \
		echo "The stemmers could not be fetched: pages cannot use models with stems."

install: $(VENV)/.kernel $(VENV)/.tests $(VENV)/.stemmers ## Create .venv with the optimized kernel and every library of development

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

demo: $(KERNEL) ## Train, evaluate and explain on the sample corpus
	@$(BIN)/likely demo

serve: $(KERNEL) $(VENV)/.tests ## Train a model on the sample corpus and serve it, with a page to try and teach it
	@mkdir -p $(VENV)/serve && $(BIN)/likely train python/likely/data/sample.csv -o $(VENV)/serve/demo.likely > /dev/null
	@$(BIN)/likely serve $(VENV)/serve/demo.likely --store $(VENV)/serve/demo.store

# A wheel for Python 3.11 and later. That for Linux runs with glibc 2.17 (2014) and later.
wheel: $(VENV)/.wheel $(VENV)/.stemmers ## Build a wheel and an sdist into dist/, and try the wheel in empty environments
	rm -rf dist
	$(BIN)/python tools/notices.py
	$(BIN)/maturin sdist --out dist
	PATH=$(CURDIR)/$(BIN):$$PATH $(BIN)/maturin build --quiet --release --locked --out dist \
		$(if $(filter Linux,$(shell uname -s)),--zig --compatibility manylinux_2_17)
	$(PYTHON) tools/smoke.py dist/*.whl
	$(NEWEST) tools/smoke.py dist/*.whl

# With folders, every test runs; without, the quick ones.
test: $(KERNEL) $(VENV)/.tests $(VENV)/.stemmers browser database ## Run all tests: Rust, then Python (WORKERS=2 to run that many at once)
	cargo test --quiet -p likely-core
	LIKELY_PLAIN=1 cargo test --quiet -p likely-core --lib
	$(PYTEST) tests python/likely

# The figures of a run are in docs/design/testing-server.md.
soak: install browser database ## Run the long forms of the tests: many more texts, kills, bad clients and documents (hours)
	HYPOTHESIS_PROFILE=long $(PYTEST) --timeout 3600 tests/property tests/unit/evaluation tests/unit/reading
	LIKELY_KILLS=400 $(PYTEST) --timeout 3600 tests/cli/test_killed.py tests/unit/storage
	LIKELY_KILLS=2000 LIKELY_REPLICA_KILLS=200 LIKELY_CALLS=400 LIKELY_ABUSE=10000 LIKELY_SLOW=200 LIKELY_LOAD=20000 \
		$(PYTEST) --timeout 36000 tests/server
	$(BIN)/python -m benchmarks.soak

# libFuzzer needs options of rustc that only a nightly has, or one that takes itself for one.
fuzz: install ## Feed any bytes to the readers (FUZZ_SECONDS per target), and load many damaged model files (FUZZ of them)
	@command -v cargo-fuzz > /dev/null || { echo "cargo-fuzz is not installed: cargo install cargo-fuzz"; exit 1; }
	for target in models json csv tokens; do RUSTC_BOOTSTRAP=1 cargo fuzz run $$target -- \
		-max_total_time=$(FUZZ_SECONDS) -malloc_limit_mb=256 -timeout=10 || exit 1; done
	LIKELY_FUZZ=$(FUZZ) $(PYTEST) --timeout 36000 -k whatever_is_damaged tests/unit/storage/test_hostile_files.py

# The type checker of the pages' scripts comes from npm's registry, if npm is installed.
$(VENV)/node/.$(TYPESCRIPT):
	@mkdir -p $(VENV)/node
	@npm install --silent --no-audit --no-fund --prefix $(VENV)/node $(TYPESCRIPT) && touch $@

lint: $(KERNEL) $(VENV)/.tests ## Check formatting, lints, types, stubs and the documentation
	cargo fmt --all --check
	cargo clippy --quiet --workspace --all-targets -- -D warnings
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m mypy.stubtest likely._native --ignore-disjoint-bases
	$(BIN)/python tools/reference.py --check
	$(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going -D suppress_warnings=image.not_readable -b dummy docs docs/_build/dummy
	@if command -v node > /dev/null && command -v npm > /dev/null; \
	then $(MAKE) --no-print-directory $(VENV)/node/.$(TYPESCRIPT) && $(VENV)/node/node_modules/.bin/tsc; \
	else echo "npm is not installed: the types of the pages' scripts are not checked."; fi

docs: $(KERNEL) $(VENV)/.tests browser ## Build the documentation into docs/_build: the reference from the code, pictures of the pages
	$(BIN)/python tools/reference.py
	$(BIN)/python tools/pictures.py
	$(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going -b html docs docs/_build
	$(BIN)/likely textbook -o docs/_build/textbook.html

format: $(KERNEL) $(VENV)/.tests ## Rewrite the sources in the house style
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
	rm -rf $(VENV) benchmarks/.venv target dist LICENSE-THIRD-PARTY python/likely/_native*.so python/likely/data/live/stemmers
