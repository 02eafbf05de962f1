# One command: `make test`. It needs make, a shell and Python 3.11 or newer, and gets the rest itself.
# Everything lies in .venv; the tests run against pbem as it is installed there, not against ./pbem.
# Works with GNU make 3.81 and in a folder with blanks in its name: all paths here are relative.

VENV    := .venv
PY      := $(VENV)/bin/python
PIP     := $(PY) -m pip --disable-pip-version-check -q
SOURCES := pyproject.toml hatch_build.py LICENSE README.md docs/SPECIFICATION.md $(shell find pbem templates -type f ! -name '*.pyc')

# An activated environment or a PYTHONPATH would let other code than the installed one be tested.
export PYTHONPATH :=
unexport PYTHONHOME

.PHONY: help test test-long lint format types bounds dist demo bench renew clean
.NOTPARALLEL:

help:
	@echo 'make test    everything, against an installed pbem   (make test ARGS="-k name")'
	@echo 'make test-long    the same, with far larger samples or none: an hour'
	@echo 'make lint    ruff;   make format [ONLY="path …"] mends what it can'
	@echo 'make types   mypy --strict'
	@echo 'make bounds  some tests with the oldest and the newest of the libraries that pbem admits'
	@echo 'make dist    the wheel and the source archive, as they are published'
	@echo 'make demo    a whole game, played by bots'
	@echo 'make bench   how long things take, as ratios'
	@echo 'make renew   newest versions into constraints.txt'
	@echo 'make clean   remove everything made here'

UV := $(PY) -m uv

# worksteal: each of the two begins with half, in order, so that what tests share is made once.
PYTEST := PBEM_TESTED=installed $(PY) -P -m pytest -n 2 --dist worksteal

test: $(VENV)/.tools $(VENV)/.pbem
	@$(PYTEST) $(ARGS)

# What `make test` samples, whole or nearly: tests/sizes.py. An hour on two cores.
test-long: $(VENV)/.tools $(VENV)/.pbem
	@PBEM_LONG=1 $(PYTEST) -o faulthandler_timeout=3600 $(ARGS)

lint: $(VENV)/.tools
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .

# ONLY="pbem/cli.py tests/house" where others are at work in the same tree.
ONLY := .
format: $(VENV)/.tools
	@$(PY) -m ruff check --fix-only $(ONLY)
	@$(PY) -m ruff format $(ONLY)

types: $(VENV)/.tools
	@$(PY) -m mypy pbem tests benchmarks hatch_build.py examples/plugin examples/games

# Each in an environment of its own, from a wheel of pbem. These tests touch every library, in half a minute.
BOUNDS := tests/kept tests/formats tests/crypto tests/house/test_cli.py tests/house/test_pages.py
bounds: $(VENV)/.tools
	@for bound in lowest-direct highest; do \
	  echo "== $$bound"; place=build/$$bound; \
	  $(UV) venv -q --clear --python $(PY) $$place && \
	  $(UV) pip install -q --python $$place --resolution $$bound --reinstall-package pbem . && \
	  $(UV) pip freeze -q --python $$place && \
	  $(UV) pip install -q --python $$place pytest hypothesis && \
	  $$place/bin/python -P -m pytest -q $(BOUNDS) || exit; \
	done

# The wheel is built from the source archive. twine says what the index would refuse.
dist: $(VENV)/.tools
	@rm -rf dist
	@$(UV) build -q --build-constraint constraints.txt
	@$(UV) tool run -q twine check --strict dist/*.whl dist/*.tar.gz

demo: $(VENV)/.pbem
	@$(VENV)/bin/pbem demo
	@echo
	@echo 'Here, pbem is $(VENV)/bin/pbem; `pip install .` or `pipx install .` puts it on your path.'

bench: $(VENV)/.tools $(VENV)/.pbem
	@$(PY) benchmarks/run.py $(ARGS)

renew:
	@rm -rf $(VENV)
	@: > constraints.txt
	@$(MAKE) $(VENV)/.tools
	@( echo '# Exact versions for development and CI; made by `make renew`. Users are not bound by it:'; \
	   echo '# their bounds stand in pyproject.toml.'; \
	   $(PIP) freeze --exclude pbem ) > constraints.new
	@mv constraints.new constraints.txt

clean:
	rm -rf $(VENV) dist build .hypothesis .mypy_cache .ruff_cache .pytest_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The first Python that is new enough; PYTHON=… on the command line takes that one alone.
# Today's pip: the start scripts that pips before 25 write import `re`, a third of a bare start.
$(VENV)/.made:
	@for p in $(or $(PYTHON),python3 python3.11 python3.12 python3.13 python3.14); do \
	  if "$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	    "$$p" -m venv $(VENV) || exit; \
	    $(PIP) install --upgrade pip || echo 'going on with the pip that came with Python' >&2; \
	    touch $@; exit; \
	  fi; \
	done; \
	echo "pbem needs Python 3.11 or newer; here is `$(or $(PYTHON),python3) --version 2>&1`" \
	  "(try: make test PYTHON=/path/to/python3.11)" >&2; exit 1

$(VENV)/.tools: $(VENV)/.made pyproject.toml constraints.txt
	$(PIP) install -c constraints.txt '.[dev]'
	@touch $(VENV)/.pbem $@

# With the tools there hatchling is there too, and nothing need be fetched to build anew.
$(VENV)/.pbem: $(VENV)/.made constraints.txt $(SOURCES)
	$(PIP) install -c constraints.txt `test -f $(VENV)/.tools && echo --no-build-isolation` .
	@touch $@
