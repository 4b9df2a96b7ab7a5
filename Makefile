# The two commands: `make run` serves a demo property, `make test` runs the whole suite.
# Both do all of their own set-up; they need Python 3.11 or later, git and make.

.PHONY: help install run sandbox cluster faults simulate test coverage branches mutants lint bench before starts lock audit bom release clean
.DEFAULT_GOAL := help

VENV := .venv
# Each start would compile every module anew where an image says to keep nothing compiled.
unexport PYTHONDONTWRITEBYTECODE
# A stamp names the requirements it was made from, so that an unchanged set is not installed again.
# It comes after what it stands for is on the disk, so that a power cut cannot leave it alone.
RUN_STAMP := $(VENV)/.installed-run-$(shell cat requirements-run.txt | cksum | tr ' ' -)
DEV_STAMP := $(VENV)/.installed-dev-$(shell cat requirements-dev.txt | cksum | tr ' ' -)
# Every package, those that others need too, is pinned and has the hashes of its files.
PIP_INSTALL := $(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes
# A node's own tool, in an environment of its own: the site never meets it.
PATRONI_VENV := deploy/patroni-venv
PATRONI_STAMP := $(PATRONI_VENV)/.installed-$(shell cat deploy/requirements-patroni.txt | cksum | tr ' ' -)
BIOME := .ci/node_modules/.bin/biome

help:
	@echo "make run                  serve the demo property (PITBOSS_PORT, PITBOSS_HOST, PITBOSS_DATA)"
	@echo "make sandbox              the same for vendors: test hands, and a table that is reset by a call"
	@echo "make cluster              the same on three database nodes and two web nodes (needs etcd)"
	@echo "make faults               kill parts of a cluster while terminals work; ARGS=\"--rounds 1\""
	@echo "make simulate             play on in the running demo; ARGS=\"--speed 20 --minutes 60\""
	@echo "make test                 run every test; make test ARGS=\"-k a12\" runs a part"
	@echo "make coverage             run the tests of the rules; fail unless every branch is taken"
	@echo "make branches             run the site's tests; fail if they take less of the services' branches than before"
	@echo "make mutants              break the code piece by piece and see a test fail; ARGS=\"tax --minutes 5\""
	@echo "make lint                 check style, types, which way imports run, templates, scripts (needs npm)"
	@echo "make bench                measure"
	@echo "make before               run the release before on this schema; ARGS=\"v1.0.0\""
	@echo "make starts               start the demo from empty again and again; ARGS=\"--times 50 --busy 4\""
	@echo "make lock                 pin every package anew, with hashes, from requirements*.in (needs uv)"
	@echo "make audit                ask whether a hole is known in any pinned package (needs a network)"
	@echo "make bom                  print what production is made of, as CycloneDX"
	@echo "make release              build the source archive of this version and check it"
	@echo "make clean                remove the virtual environment and caches; the data stays"

run: $(RUN_STAMP)
	@exec $(VENV)/bin/python -m pitboss.embedded run --with-parent

# A house of its own, so that a vendor's tests and the demo don't meet.
sandbox: $(RUN_STAMP)
	@PITBOSS_SANDBOX=1 PITBOSS_DATA="$${PITBOSS_DATA:-.data-sandbox}" \
	    exec $(VENV)/bin/python -m pitboss.embedded run --with-parent

cluster: $(RUN_STAMP) $(PATRONI_STAMP)
	@exec $(VENV)/bin/python -m pitboss.embedded cluster --with-parent

faults: $(DEV_STAMP) $(PATRONI_STAMP)
	@exec $(VENV)/bin/python -m bench.faults $(ARGS)

simulate: $(RUN_STAMP)
	@exec $(VENV)/bin/python -m pitboss.embedded manage simulate $(ARGS)

test: $(DEV_STAMP)
	@exec $(VENV)/bin/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder --durations=10 $(ARGS)

# Money is decided in the rules: no branch of theirs may be left without a test. One process, with
# coverage begun before pytest: what the site imports as it starts would else count as never run.
coverage: $(DEV_STAMP)
	@$(VENV)/bin/python -m coverage run --branch --source=pitboss.rules \
	    -m pytest tests/rules pitboss/rules $(ARGS)
	@exec $(VENV)/bin/python -m coverage report --show-missing --skip-covered --fail-under=100

# bench/branches.json has what was measured; BRANCHES="--raise" writes down what rose.
branches: $(DEV_STAMP)
	@folder=$$(mktemp -d) && \
	    PITBOSS_BRANCHES=$$folder $(MAKE) test ARGS="--ignore=tests/rules --ignore=pitboss/rules $(ARGS)"; \
	    $(VENV)/bin/python -m bench.branches $$folder $(BRANCHES)

# docs/mutants.md names what may live.
mutants: $(DEV_STAMP)
	@exec $(VENV)/bin/python -m bench.mutants $(ARGS)

install: $(DEV_STAMP)

lint: $(DEV_STAMP) $(BIOME)
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy
	cd docs/clients/python && MYPYPATH=. ../../../$(VENV)/bin/mypy --strict --config-file= .
	$(VENV)/bin/lint-imports --no-logo
	$(VENV)/bin/djade --check --target-version 5.2 $$(git ls-files 'templates/*.html' 'pitboss/group/templates/*.html')
	$(BIOME) check --config-path=.ci static docs/clients

# Reads the scripts and styles; the site neither runs nor is tested with it.
$(BIOME): .ci/package.json
	@cd .ci && npm install --no-package-lock --no-audit --no-fund --loglevel=error
	@touch $@

bench: $(DEV_STAMP)
	@exec $(VENV)/bin/python -m pitboss.embedded exec -- $(VENV)/bin/python -m bench $(ARGS)

before: $(DEV_STAMP)
	@exec $(VENV)/bin/python -m pitboss.embedded exec -- $(VENV)/bin/python -m bench.before $(ARGS)

starts: $(DEV_STAMP)
	@exec $(VENV)/bin/python -m bench.starts $(ARGS)

# The three sets are pinned for every Python from 3.11 on; the larger ones take the smaller as it is.
LOCK := uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header
lock:
	$(LOCK) requirements.in -o requirements.txt $(ARGS)
	$(LOCK) requirements-run.in -c requirements.txt -o requirements-run.txt $(ARGS)
	$(LOCK) requirements-dev.in -c requirements-run.txt -o requirements-dev.txt $(ARGS)
	$(LOCK) .ci/requirements-audit.in -o .ci/requirements-audit.txt $(ARGS)
	$(LOCK) deploy/requirements-patroni.in -o deploy/requirements-patroni.txt $(ARGS)

audit:
	@exec .ci/audit

bom: $(RUN_STAMP)
	@exec $(VENV)/bin/python .ci/bill_of_materials.py

release: $(DEV_STAMP)
	@exec $(VENV)/bin/python .ci/release.py $(ARGS)

clean:
	rm -rf $(VENV) $(PATRONI_VENV) dist .ci/audit-venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .coverage
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(RUN_STAMP): $(VENV)/.made
	@echo "Installing what Pitboss needs ..."
	@$(PIP_INSTALL) -r requirements-run.txt
	@sync -f $(VENV) && rm -f $(VENV)/.installed-run-* && touch $@

$(DEV_STAMP): $(VENV)/.made
	@echo "Installing what Pitboss and its tests need ..."
	@$(PIP_INSTALL) -r requirements-dev.txt
	@sync -f $(VENV) && rm -f $(VENV)/.installed-* && touch $(RUN_STAMP) $@

# Root's Patroni runs as another account, which may not enter a home folder: the system's Python.
$(PATRONI_STAMP): $(VENV)/.made
	@echo "Installing Patroni ..."
	@python=$(VENV)/bin/python; \
	if [ "$$(id -u)" = 0 ] && [ -x /usr/bin/python3 ]; then python=/usr/bin/python3; fi; \
	rm -rf $(PATRONI_VENV) && $$python -m venv $(PATRONI_VENV)
	@$(PATRONI_VENV)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes \
	    -r deploy/requirements-patroni.txt
	@sync -f $(PATRONI_VENV) && touch $@

# The stamp comes last, so that a half-made environment is made anew.
$(VENV)/.made:
	@python=; \
	for candidate in python3 python3.14 python3.13 python3.12 python3.11; do \
	    if $$candidate -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	        python=$$candidate; break; \
	    fi; \
	done; \
	if [ -z "$$python" ]; then \
	    echo "Pitboss needs Python 3.11 or later: install it, so that python3 is that version." >&2; exit 1; \
	fi; \
	if ! $$python -c 'import venv, ensurepip' 2>/dev/null; then \
	    echo "This Python cannot make virtual environments: install its venv module (on Debian: apt-get install python3-venv)." >&2; exit 1; \
	fi; \
	echo "Making the virtual environment $(VENV) ..."; \
	rm -rf $(VENV) && $$python -m venv $(VENV) && touch $@
