# urpi: `make demo` shows a game, `make test` runs the everyday tests. Both install what they need in .venv.

VENV := .venv
BIN := $(VENV)/bin
PAGE_CHECKS := tests/browser

# The first Python that is new enough. To choose one: make test PYTHON=/path/to/python3.13
PYTHON ?= $(shell tools/find-python)

# The arguments of `urpi demo`, such as DEMO_ARGS="--rules murray", or "--auto --speed 4" to watch a
# whole game in the terminal.
DEMO_ARGS ?=

# Debian packages that the tests need besides Python: the firmware's compilers, the libraries of its
# simulator, the voices of the languages, a D-Bus for dice with Bluetooth, and what signs a release.
DEBIAN_TEST_PACKAGES := gcc gcc-avr avr-libc binutils-avr libsimavr-dev libelf-dev espeak-ng dbus minisign \
  gcc-arm-none-eabi libnewlib-arm-none-eabi

# What compiles the firmware.
DEBIAN_FIRMWARE_PACKAGES := make gcc-avr avr-libc binutils-avr gcc-arm-none-eabi libnewlib-arm-none-eabi

# Web servers in front of the page, and the program that creates their certificate. Debian may start
# nginx and Caddy when it installs them; the tests run their own.
DEBIAN_PROXY_PACKAGES := nginx caddy openssl

# A real broker, database and pooler for the club, run on loopback in temporary folders; openssl
# creates the broker's certificate.
DEBIAN_CLUB_PACKAGES := mosquitto postgresql pgbouncer openssl

# The browser in which the page is measured and, without windows, tested in half the processor time,
# with fonts that give the texts the same width on every machine; and the packages that check the
# types of its scripts.
DEBIAN_PAGE_PACKAGES := chromium chromium-headless-shell fonts-liberation
DEBIAN_NODE_PACKAGES := nodejs npm

# The tools that make the Debian package; those that check it and create Debian's root directories.
DEBIAN_DEB_PACKAGES := debhelper dh-python dpkg-dev
DEBIAN_DEB_TEST_PACKAGES := lintian mmdebstrap zstd groff-base minisign

# What executes the programs of other architectures.
DEBIAN_ARM_TEST_PACKAGES := qemu-user-static binfmt-support arch-test

# What compiles a library and completes the device tree of the emulated Raspberry Pi.
DEBIAN_BOOT_TEST_PACKAGES := gcc-aarch64-linux-gnu libc6-dev-arm64-cross swig device-tree-compiler

# Tests run on every core. A debugger needs one process: PYTEST_ARGS=
PYTEST_ARGS ?= --numprocesses=auto
KERNEL_ARGS ?=
# The tests start the program hundreds of times; without this, each would compile all of its modules.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help demo test test-all test-api test-proxies test-club test-page test-bodies test-boards boards test-kernel test-release test-tools release deb test-deb test-arm test-boot check docs bench bench-page mutation words preview generated format clean always \
  debian-test-packages debian-proxy-packages debian-club-packages debian-page-packages debian-node-packages debian-deb-packages debian-firmware-packages

help:
	@echo 'make demo         play on the virtual table, in the browser (DEMO_ARGS=...)'
	@echo 'make test         run the everyday tests (PYTEST_ARGS=...)'
	@echo 'make test-all     run the slow ones too: more seeds, rule sets and whole games'
	@echo 'make test-api     compare what the page serves with the description of its API'
	@echo 'make test-proxies test the page behind nginx and Caddy, configured as in the documentation'
	@echo 'make test-club    kill a broker, a database, a club and its tables, and compare what is stored'
	@echo 'make test-page    test the page in a browser (PYTEST_ARGS=...)'
	@echo 'make test-bodies  render and measure everything to print'
	@echo 'make test-boards  check the circuit boards with KiCad, and what make boards makes of them'
	@echo 'make test-kernel  play a game in a Linux kernel with GPIO and I2C (KERNEL_ARGS=...)'
	@echo 'make test-release install the wheel and the sdist in empty environments, and play; build a release twice'
	@echo 'make release      build every file of a release from its tag, in build/release/ (PUBLIC_KEY=...)'
	@echo 'make deb          build the Debian package, build/deb/urpi_VERSION_all.deb'
	@echo 'make test-deb     install, upgrade and purge it on Debian 12 and 13 with systemd; as root'
	@echo 'make test-arm     install, start, play and purge it on emulated arm64 and armhf; as root'
	@echo 'make test-boot    boot it on an emulated Raspberry Pi 3, until the display is ready; as root'
	@echo 'make check        check formatting, lint and types'
	@echo 'make docs         build the documentation, build/docs/index.html'
	@echo 'make -C wiring    redraw wiring/, and update the tables in docs/build/'
	@echo 'make boards       everything to order the circuit boards, in build/boards/'
	@echo 'make bench        measure everything that has a target; an hour or two'
	@echo 'make bench-page   measure the page in a browser'
	@echo 'make mutation     change expressions at random, and report what no test notices (MUTATION_ARGS=...)'
	@echo 'make words        update the catalogues of all languages (TRANSLATIONS=new.toml)'
	@echo 'make preview      every text of a language beside the English one (LANGUAGE=sl)'
	@echo 'make generated    update the files that are generated from the code'
	@echo 'make format       format the code'
	@echo 'make clean        remove everything that make created'

demo: $(VENV)/made-base
	$(BIN)/urpi demo $(DEMO_ARGS)

# In memory, if 2 GB are free there: every journal is stored safely many times. Only what failed is left behind.
MEMORY := $(shell [ -w /dev/shm ] && [ "$$(df --output=avail --block-size=M /dev/shm | tail -n 1 | tr -d ' M')" -gt 2000 ] && echo /dev/shm)

# In the order of the files, so that a process creates what the tests of one share once; `make test-all` shuffles.
test: export TMPDIR := $(or $(MEMORY),$(TMPDIR),/tmp)
test: $(VENV)/made-test debian-test-packages
	$(BIN)/python -m pytest --ignore=tests/browser -m 'not slow' --hypothesis-profile=everyday -p no:randomly \
		-o tmp_path_retention_policy=failed $(PYTEST_ARGS) $(if $(findstring --numprocesses,$(PYTEST_ARGS)),--dist=worksteal)

test-all: $(VENV)/made-test debian-test-packages
	$(BIN)/python -m pytest --ignore=tests/browser $(PYTEST_ARGS)

check: $(VENV)/made-check $(PAGE_CHECKS)/node_modules/made
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	$(BIN)/mypy
	$(PAGE_CHECKS)/node_modules/.bin/tsc --project $(PAGE_CHECKS)

# Tests the page in Chromium; PYTEST_ARGS=--screenshots stores pictures in tests/browser/screenshots.
# A process gets consecutive tests, so that the table that those of a file share is started once or twice.
test-page: $(VENV)/made-test $(VENV)/made-page $(PAGE_CHECKS)/node_modules/made debian-page-packages debian-club-packages
	$(BIN)/python -m pytest $(PYTEST_ARGS) $(if $(findstring --numprocesses,$(PYTEST_ARGS)),--dist=worksteal) tests/browser

test-api: $(VENV)/made-test $(VENV)/made-api
	$(BIN)/python -m tests.page.api_run

test-proxies: $(VENV)/made-test debian-proxy-packages
	$(BIN)/python -m pytest $(PYTEST_ARGS) tests/proxies

# Eleven minutes on a busy machine, mostly of waiting for programs to start.
test-club: $(VENV)/made-test debian-club-packages
	$(BIN)/python -m pytest -n 0 $(PYTEST_ARGS) --dist=loadfile tests/club_live tests/hostile

# Checks that the bodies are watertight, thick enough and balanced. OpenSCAD renders changed ones.
test-bodies: $(VENV)/made-test
	$(MAKE) --no-print-directory --jobs=$$(nproc) -C wiring/bodies stl
	$(BIN)/python -m pytest $(PYTEST_ARGS) tests/bodies/rendered

# Both run KiCad 9 in a root directory with Debian 13, which the first run creates; the tests also KiKit.
test-boards: $(VENV)/made-test
	$(BIN)/python -m pytest -n 0 --timeout=3600 $(PYTEST_ARGS) tests/boards

boards: $(VENV)/made-test
	$(BIN)/python -m wiring.boards.order

# The kernel is built once and stored in ~/.cache/urpi. Installs the packages that the build needs.
test-kernel: $(VENV)/made-base
	$(BIN)/python -m tests.kernel $(KERNEL_ARGS)

# Downloads the program's dependencies from the package index, which can be slow. Builds a whole
# release twice; the first run creates KiCad's root directory, like test-boards.
test-release: $(VENV)/made-test $(VENV)/made-release debian-deb-packages debian-firmware-packages
	$(BIN)/python -m pytest --timeout=3600 $(PYTEST_ARGS) tests/release

# What several targets for tests need, for those who run them at the same time: two of them must not
# install in the same environment.
test-tools: $(VENV)/made-test $(VENV)/made-release $(VENV)/made-api $(VENV)/made-docs $(VENV)/made-wiring $(VENV)/made-page $(PAGE_CHECKS)/node_modules/made \
  debian-test-packages debian-proxy-packages debian-club-packages debian-page-packages debian-deb-packages debian-firmware-packages

# The checkout must be at the tag and unchanged. A second run writes the same bytes.
release: $(VENV)/made-release debian-deb-packages debian-firmware-packages
	@$(BIN)/python -m tools.release $(if $(PUBLIC_KEY),--public-key '$(PUBLIC_KEY)')

# Downloads the libraries that the package bundles, and checks their hashes. PUBLIC_KEY=FILE is the
# key of minisign with which `urpi update` verifies later releases.
deb: $(VENV)/made-release debian-deb-packages
	@$(BIN)/python -m tools.deb $(if $(PUBLIC_KEY),--public-key '$(PUBLIC_KEY)')

# The first run downloads Debian 12 and 13, and LibreOffice (700 MB), and stores them in ~/.cache/urpi.
test-deb: $(VENV)/made-test $(VENV)/made-release debian-deb-packages
	@tools/need-debian-packages $(DEBIAN_DEB_TEST_PACKAGES)
	$(BIN)/python -m pytest -n 0 --timeout=3600 $(PYTEST_ARGS) --dist=loadgroup tests/deb

# Takes much longer than test-deb. The kernel executes the other programs until it is restarted.
test-arm: $(VENV)/made-test $(VENV)/made-release debian-deb-packages
	@tools/need-debian-packages $(DEBIAN_DEB_TEST_PACKAGES) $(DEBIAN_ARM_TEST_PACKAGES)
	$(BIN)/python -m pytest -n 0 --timeout=14400 $(PYTEST_ARGS) tests/deb/arm

# Takes half an hour or more; the first run longer. Writes what it measured to build/boot.
test-boot: $(VENV)/made-test $(VENV)/made-release debian-deb-packages
	@tools/need-debian-packages $(DEBIAN_DEB_TEST_PACKAGES) $(DEBIAN_ARM_TEST_PACKAGES) $(DEBIAN_BOOT_TEST_PACKAGES)
	$(BIN)/python -m pytest -n 0 --timeout=14400 -s $(PYTEST_ARGS) tests/deb/boot

# A warning is an error. Nothing is downloaded.
docs: $(VENV)/made-docs
	$(BIN)/python -m sphinx --fail-on-warning --keep-going --quiet docs build/docs
	@echo 'See build/docs/index.html'

# Runs every part, also after one that missed its target.
BENCHES := bench bench.journal bench.durable bench.club bench.two_boards bench.table bench.rest bench.engine_turn bench.start_up resume.kills bench_referee.memory bench_referee.steps bench_dice bench_club bench_club.player_list bench_club.presence \
  bench_page bench_page.wall bench_page.analysis bench.kernel journal.power_cut journal.kill_points \
  journal.outages journal.flips bench_engine.random_games bench_engine.review_balance bench.sd_card bench.stalls bench.clocks bench.floods bench.games bench.pictures bench.soak

bench-page: $(VENV)/made-test $(VENV)/made-page debian-page-packages
	$(BIN)/python -m tests.bench_page.in_browser

bench: $(VENV)/made-test $(VENV)/made-page $(VENV)/made-bench debian-test-packages debian-club-packages debian-page-packages
	@missed=; for part in $(BENCHES); do \
		echo "== $$part"; $(BIN)/python -m tests.$$part || missed="$$missed $$part"; \
	done; \
	[ -z "$$missed" ] || { echo "A target was missed, or it failed:$$missed" >&2; exit 1; }

# Some minutes for each package on an idle machine.
mutation: $(VENV)/made-test $(VENV)/made-mutation
	$(BIN)/python -m tests.mutation $(or $(MUTATION_ARGS),$(error Name a package: make mutation MUTATION_ARGS="rules --sample 150"))

words: $(VENV)/made-words
	$(BIN)/python -m tools.catalogues $(TRANSLATIONS)

preview: $(VENV)/made-test
	$(BIN)/python -m tests.preview $(LANGUAGE)

generated: $(VENV)/made-base
	$(BIN)/python -m docs.generator
	$(BIN)/python firmware/generate_protocol.py

format: $(VENV)/made-check
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# A stamp that is older than pyproject.toml or than the environment means that its packages must be
# installed again.
$(VENV)/made-base: pyproject.toml $(VENV)/made-python
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/made-%: pyproject.toml $(VENV)/made-base
	$(BIN)/python -m pip install --quiet --group $*
	@touch $@

# Checked every time, and touched only if the environment is new or of another Python.
$(VENV)/made-python: always
	@tools/make-venv '$(PYTHON)' $(VENV)

always:

# TypeScript, which checks the types of the page's scripts, and axe. The page's server uses neither.
$(PAGE_CHECKS)/node_modules/made: $(PAGE_CHECKS)/package-lock.json | debian-node-packages
	npm ci --silent --prefix $(PAGE_CHECKS)
	@touch $@

debian-test-packages:
	@tools/need-debian-packages $(DEBIAN_TEST_PACKAGES)

debian-proxy-packages:
	@tools/need-debian-packages $(DEBIAN_PROXY_PACKAGES)

debian-club-packages:
	@tools/need-debian-packages $(DEBIAN_CLUB_PACKAGES)

debian-page-packages:
	@tools/need-debian-packages $(DEBIAN_PAGE_PACKAGES)

debian-firmware-packages:
	@tools/need-debian-packages $(DEBIAN_FIRMWARE_PACKAGES)

debian-deb-packages:
	@tools/need-debian-packages $(DEBIAN_DEB_PACKAGES)

# Any npm will do, not only Debian's.
debian-node-packages:
	@command -v npm >/dev/null || tools/need-debian-packages $(DEBIAN_NODE_PACKAGES)
