# urpi: `make demo` to see a game, `make test` to run the tests. Both set themselves up in .venv.

VENV := .venv
BIN := $(VENV)/bin
PAGE_CHECKS := tests/page

# The first Python that is new enough; or choose one: make test PYTHON=/path/to/python3.13
PYTHON ?= $(shell tools/find-python)

# What `make demo` passes on, such as DEMO_ARGS="--rules murray", or "--auto --speed 4" to see a whole
# game play itself in the terminal.
DEMO_ARGS ?=

# Debian packages that tests need besides Python: the firmware's compiler, what its simulator is
# built on, and the voices of the languages.
DEBIAN_TEST_PACKAGES := gcc gcc-avr avr-libc binutils-avr libsimavr-dev libelf-dev espeak-ng

# Web servers that the page is tested behind, and what makes their certificate. Where Debian starts
# services by itself, it starts nginx and Caddy when it installs them; the tests run their own.
DEBIAN_PROXY_PACKAGES := nginx caddy openssl

# What the page is tested in, and what its scripts' types are checked with.
DEBIAN_PAGE_PACKAGES := chromium
DEBIAN_NODE_PACKAGES := nodejs npm

# On every core; PYTEST_ARGS= for one process, as a debugger needs it.
PYTEST_ARGS ?= --numprocesses=auto
KERNEL_ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help demo test test-api test-proxies test-page test-bodies test-kernel test-release check docs bench mutation words generated format clean always \
  debian-test-packages debian-proxy-packages debian-page-packages debian-node-packages

help:
	@echo 'make demo         play on the virtual table, in the browser (DEMO_ARGS=...)'
	@echo 'make test         run the tests (PYTEST_ARGS=...)'
	@echo 'make test-api     what serves the page, against the description of its API'
	@echo 'make test-proxies the page behind nginx and Caddy, as the documentation configures them'
	@echo 'make test-page    the page in a browser (PYTEST_ARGS=...)'
	@echo 'make test-bodies  the dice and bezels to print, rendered and measured'
	@echo 'make test-kernel  a game in a Linux kernel with GPIO and I2C (KERNEL_ARGS=...)'
	@echo 'make test-release wheel and sdist, installed into empty environments and played'
	@echo 'make check        formatting, lint and types'
	@echo 'make docs         the documentation as pages for a browser, build/docs/index.html'
	@echo 'make -C wiring    draw wiring/, and write what docs/build/ says of it, anew'
	@echo 'make bench        measure everything that has a figure to reach; an hour or two'
	@echo 'make mutation     change expressions at random, and report what no test notices (MUTATION_ARGS=...)'
	@echo 'make words        the catalogues of every language, brought up to date with the code'
	@echo 'make generated    write anew what is generated from the code'
	@echo 'make format       format the code'
	@echo 'make clean        remove what make made'

demo: $(VENV)/made-base
	$(BIN)/urpi demo $(DEMO_ARGS)

test: $(VENV)/made-test debian-test-packages
	$(BIN)/python -m pytest --ignore=tests/page $(PYTEST_ARGS)

check: $(VENV)/made-check $(PAGE_CHECKS)/node_modules/made
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(PAGE_CHECKS)/node_modules/.bin/tsc --project $(PAGE_CHECKS)

# Every part of the page in Chromium, and a picture of each in tests/page/screenshots.
test-page: $(VENV)/made-test $(VENV)/made-page $(PAGE_CHECKS)/node_modules/made debian-page-packages
	$(BIN)/python -m pytest $(PYTEST_ARGS) tests/page

test-api: $(VENV)/made-test $(VENV)/made-api
	$(BIN)/python -m tests.web.api_run

test-proxies: $(VENV)/made-test debian-proxy-packages
	$(BIN)/python -m pytest tests/proxies

# Watertight, thick enough, in balance; OpenSCAD renders what changed.
test-bodies: $(VENV)/made-test
	$(MAKE) --no-print-directory --jobs=$$(nproc) -C wiring/bodies stl
	$(BIN)/python -m pytest $(PYTEST_ARGS) tests/bodies/rendered

# The kernel is built once and kept in ~/.cache/urpi; what it is built of is installed.
test-kernel: $(VENV)/made-base
	$(BIN)/python -m tests.kernel $(KERNEL_ARGS)

# It needs the package index, for what the program asks for; what is fetched may take its time.
test-release: $(VENV)/made-test $(VENV)/made-release
	$(BIN)/python -m pytest --timeout=600 tests/release

# A warning is an error; nothing is fetched.
docs: $(VENV)/made-docs
	$(BIN)/python -m sphinx --fail-on-warning --keep-going --quiet docs build/docs
	@echo 'See build/docs/index.html'

# Every part, also behind one that missed its target.
BENCHES := bench bench.journal bench.durable bench.table bench.rest bench.start_up resume.kills bench_referee.memory bench_referee.steps bench_dice \
  bench_page bench.kernel journal.power_cut journal.kill_points \
  journal.outages journal.flips bench.card bench.stalls bench.clocks bench.floods bench.games bench.soak

bench: $(VENV)/made-test $(VENV)/made-bench debian-test-packages
	@missed=; for part in $(BENCHES); do \
		echo "== $$part"; $(BIN)/python -m tests.$$part || missed="$$missed $$part"; \
	done; \
	[ -z "$$missed" ] || { echo "A target was missed, or it failed:$$missed" >&2; exit 1; }

# Half an hour to two for each package.
mutation: $(VENV)/made-test $(VENV)/made-mutation
	$(BIN)/python -m tests.mutation $(or $(MUTATION_ARGS),$(error Name a package: make mutation MUTATION_ARGS="rules --sample 150"))

words: $(VENV)/made-words
	$(BIN)/python -m tools.catalogues

generated: $(VENV)/made-base
	$(BIN)/python -m docs.generator
	$(BIN)/python firmware/generate_protocol.py

format: $(VENV)/made-check
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Each stamp is older than pyproject.toml, or than a new environment, when its packages are to be
# installed again.
$(VENV)/made-base: pyproject.toml $(VENV)/made-python
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/made-%: pyproject.toml $(VENV)/made-base
	$(BIN)/python -m pip install --quiet --group $*
	@touch $@

# Looked at every time; touched only when the environment was not there or of another Python.
$(VENV)/made-python: always
	@tools/make-venv '$(PYTHON)' $(VENV)

always:

# TypeScript, which checks the page's scripts, and axe; nothing of it is served.
$(PAGE_CHECKS)/node_modules/made: $(PAGE_CHECKS)/package-lock.json | debian-node-packages
	npm ci --silent --prefix $(PAGE_CHECKS)
	@touch $@

debian-test-packages:
	@tools/need-debian-packages $(DEBIAN_TEST_PACKAGES)

debian-proxy-packages:
	@tools/need-debian-packages $(DEBIAN_PROXY_PACKAGES)

debian-page-packages:
	@tools/need-debian-packages $(DEBIAN_PAGE_PACKAGES)

# Another npm than Debian's does as well.
debian-node-packages:
	@command -v npm >/dev/null || tools/need-debian-packages $(DEBIAN_NODE_PACKAGES)
