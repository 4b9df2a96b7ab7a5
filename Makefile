# The two commands: `make run` serves a demo property, `make test` runs the whole suite.
# Both do all of their own set-up; they need Python 3.11 or later, git and make.

.PHONY: help run simulate test coverage lint bench clean
.DEFAULT_GOAL := help

VENV := .venv
# A stamp names the requirements it was made from, so that an unchanged set is not installed again.
RUN_STAMP := $(VENV)/.installed-run-$(shell cat requirements.txt | cksum | tr ' ' -)
DEV_STAMP := $(VENV)/.installed-dev-$(shell cat requirements.txt requirements-dev.txt | cksum | tr ' ' -)

help:
	@echo "make run                  serve the demo property (PITBOSS_PORT, PITBOSS_HOST, PITBOSS_DATA)"
	@echo "make simulate             play on in the running demo; ARGS=\"--speed 20 --minutes 60\""
	@echo "make test                 run every test; make test ARGS=\"-k a12\" runs a part"
	@echo "make coverage             run the tests of the rules; fail unless every branch is taken"
	@echo "make lint                 check style, types and which way imports run"
	@echo "make bench                measure"
	@echo "make clean                remove the virtual environment and caches; the data stays"

run: $(RUN_STAMP)
	@exec $(VENV)/bin/python -m pitboss.embedded run --with-parent

simulate: $(RUN_STAMP)
	@exec $(VENV)/bin/python -m pitboss.embedded manage simulate $(ARGS)

test: $(DEV_STAMP)
	@exec $(VENV)/bin/python -m pytest -n 2 --dist loadfile $(ARGS)

# Money is decided in the rules: no branch of theirs may be left without a test. One process, with
# coverage begun before pytest: what the site imports as it starts would else count as never run.
coverage: $(DEV_STAMP)
	@$(VENV)/bin/python -m coverage run --branch --source=pitboss.rules \
	    -m pytest tests/rules pitboss/rules $(ARGS)
	@exec $(VENV)/bin/python -m coverage report --show-missing --skip-covered --fail-under=100

lint: $(DEV_STAMP)
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports --no-logo

bench: $(DEV_STAMP)
	@exec $(VENV)/bin/python -m pitboss.embedded exec -- $(VENV)/bin/python -m bench $(ARGS)

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .coverage
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(RUN_STAMP): $(VENV)/.made
	@echo "Installing what Pitboss needs ..."
	@$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@rm -f $(VENV)/.installed-run-* && touch $@

$(DEV_STAMP): $(VENV)/.made
	@echo "Installing what Pitboss and its tests need ..."
	@$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@rm -f $(VENV)/.installed-* && touch $(RUN_STAMP) $@

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
