"""Fixtures of the whole suite. Spark starts in seconds, so one session serves the run, and only if a test needs it."""

from __future__ import annotations

import gc
import importlib.util
import os
import signal
import sys
import zlib
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from tests.answers import Answers, changed_sources
from tests.answers import write as write_answers
from tests.cases import Cases, Selection
from tests.class_archive import ARCHIVE, archive_options
from tests.scheduling import ASKING, Scheduling, write_asking

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from xdist.remote import Producer
    from xdist.workermanage import WorkerController

    from tests.programs.tables import Tables

# The time of an example depends on the machine, not on the code.
settings.register_profile("tableapi", settings(), deadline=None)
settings.load_profile("tableapi")


# A metastore lives as long as its tests, and need not survive a loss of power: no change waits for the disk.
NOT_DURABLE = "-Dderby.system.durability=test"
# Queries are interpreted, since to compile one takes longer than to run it on a few rows.
WITHOUT_CODE = (
    "-Dspark.sql.adaptive.enabled=false",
    "-Dspark.sql.codegen.factoryMode=NO_CODEGEN",
    "-Dspark.sql.codegen.wholeStage=false",
)
# Tests query a few rows. Most of the time would go into compiling code for many rows, by the JVM and by Spark.
_FOR_FEW_ROWS = (
    "-XX:TieredStopAtLevel=1",
    # That option reserves only 48 MB for compiled code. A run fills it, so code would be discarded and compiled again.
    "-XX:ReservedCodeCacheSize=256m",
    "-XX:-UseCodeCacheFlushing",
    "-XX:+UseSerialGC",
    # The heap of 2 GB fills up in any case. With a small initial size, it is fully collected each time before it grows.
    "-Xms1g",
    "-Xmn512m",
    # Otherwise a full collection happens each time the metaspace grows.
    "-XX:MetaspaceSize=256m",
    # The JVM builds a stack trace for each rejected expression, and some tests cause tens of thousands of them.
    "-XX:MaxJavaStackTraceDepth=16",
    # Otherwise each aggregation and sort of a few rows allocates and clears 32 MB on two cores. Data that exceeds a
    # page gets another page.
    "-Dspark.buffer.pageSize=1m",
    *WITHOUT_CODE,
    "-Dspark.sql.shuffle.partitions=2",
    # Each query that runs is described for a page of the UI that nobody opens.
    "-Dspark.sql.ui.explainMode=simple",
    # A scan allocates room for 4,096 rows of each column, and some files have four rows.
    "-Dspark.sql.parquet.enableVectorizedReader=false",
    NOT_DURABLE,
    # Without Hadoop's native library, each of these has processes started: two for each file of a checkpoint, which ask
    # where a link leads, and some for each directory of a database or table, which copy the permissions of its parent.
    "-Dspark.sql.streaming.checkpointFileManagerClass="
    "org.apache.spark.sql.execution.streaming.checkpointing.FileSystemBasedCheckpointFileManager",
    "-Dspark.hadoop.hive.warehouse.subdir.inherit.perms=false",
    # To start one takes two thirds of the usual time.
    "-Djdk.lang.Process.launchMechanism=VFORK",
)
os.environ.setdefault("SPARK_SUBMIT_OPTS", " ".join([*_FOR_FEW_ROWS, *archive_options(ARCHIVE)]))


# In a run without a JVM, each JVM reads this from its environment, names it, and does not start.
_NO_JVM = "-XX:+TestsThatStartAJvmUseTheFixtureJvm"


# A sample has one case of this many, and all tests of a function with fewer parameters than this.
_ONE_IN = 4
_FEW = 20
# The property of a report with the number of cases that passed, were skipped, and were left out.
_CASES = "cases"
# What Spark has answered the tests of each process: of each check its name, its sources, how many questions it was
# asked, how many it had answered before, and the digests of those that it answered as expected.
_ANSWERS = "answers"
_FOUND = pytest.StashKey[list[tuple[str, Sequence[str], int, int, list[str]]]]()
# What the processes of a run tell the one that distributes the files.
_FOLDER = pytest.StashKey[TemporaryDirectory[str]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--no-jvm", action="store_true", help="only the tests that start no JVM; starting one fails")
    parser.addoption(
        "--sample", action="store_true", help="of a test of many cases, one in four; no slow or nightly tests"
    )
    parser.addoption("--ask-again", action="store_true", help="ask Spark also what it has answered (tests/answers.py)")
    parser.addoption("--remember", action="store_true", help="the same, and write what it has answered")
    parser.addoption("--each-case", action="store_true", help="each of many cases is a test (tests/cases.py)")


def pytest_configure(config: pytest.Config) -> None:
    """Have every JVM fail that a test of a run without a JVM starts, in this process or in another.

    Decide whether cases are tests of their own, which ``-k`` and ``test_x[a case]`` select.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # So a shell without job control starts what it runs in the background, and programs of tests inherit it. Then a
        # test that interrupts a program would wait for it, and leave it running.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    Selection.each_case = bool(
        config.getoption("each_case") or config.getoption("keyword") or any("[" in name for name in config.args)
    )
    Selection.for_each_change = config.getoption("markexpr") == "not nightly"
    if config.getoption("sample"):
        Selection.one_in = _ONE_IN
    Answers.asks_again = config.getoption("ask_again") or config.getoption("remember")
    if config.getoption("no_jvm"):
        os.environ["JAVA_TOOL_OPTIONS"] = _NO_JVM


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect no garbage while tests are collected: nearly all that is made then stays, and rounds take a sixth."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Start with the slowest files, so that the processes of a run end at about the same time."""
    if config.getoption("no_jvm"):
        config.hook.pytest_deselected(items=[item for item in items if _uses_jvm(item)])
        items[:] = [item for item in items if not _uses_jvm(item)]
    if config.getoption("sample"):
        sampled = _sample(items)
        config.hook.pytest_deselected(items=[item for item in items if item not in sampled])
        items[:] = [item for item in items if item in sampled]
    tests: Counter[Path] = Counter()
    for item in items:
        # A test of many cases has a thousand of them, more or less.
        tests[item.path] += 1 if _cases(item) is None else 1000
    items.sort(key=lambda item: (item.get_closest_marker("long") is None, -tests[item.path], item.path))
    if ASKING in getattr(config, "workerinput", {}):
        write_asking(config.workerinput[ASKING], {item.nodeid.split("::")[0] for item in items if _uses_jvm(item)})


@pytest.hookimpl(wrapper=True, optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> Generator[None, int, int]:
    """Have a process for each core, and one more for the tests without a JVM if there are others."""
    return (yield) + (not config.getoption("no_jvm"))


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: WorkerController) -> None:
    """Have the first process say which files of tests use a JVM."""
    if node.gateway.id == "gw0":
        node.workerinput[ASKING] = str(_asking(node.config))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Scheduling | None:
    """Distribute files as ``tests/scheduling.py`` says, unless no file uses a JVM."""
    if config.getoption("dist") != "loadfile" or config.getoption("no_jvm"):
        return None
    return Scheduling(config, log, _asking(config))


def _asking(config: pytest.Config) -> Path:
    if _FOLDER not in config.stash:
        config.stash[_FOLDER] = TemporaryDirectory()
    return Path(config.stash[_FOLDER].name) / "asking.json"


def _sample(items: list[pytest.Item]) -> set[pytest.Item]:
    """Return the tests of a sample: no slow or nightly ones, and one in four of those that many parameters make of one.

    A test with a snapshot stays, since a run fails over one that is not used.
    """
    made: dict[str, list[pytest.Item]] = {}
    for item in items:
        if not any(item.get_closest_marker(mark) for mark in ("nightly", "slow")):
            made.setdefault(item.nodeid.split("[")[0], []).append(item)
    sampled: set[pytest.Item] = set()
    for name, tests in made.items():
        is_whole = len(tests) < _FEW or "snapshot" in getattr(tests[0], "fixturenames", ())
        # Tests of the same parameters get different parts of them, and a test always the same part.
        sampled.update(tests if is_whole else tests[zlib.crc32(name.encode()) % _ONE_IN :: _ONE_IN])
    return sampled


def _cases(item: pytest.Item) -> Cases | None:
    parameters = item.callspec.params.values() if hasattr(item, "callspec") else ()
    return next((value for value in parameters if isinstance(value, Cases)), None)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Count the cases of a test in its report, which may be made in another process."""
    yield
    cases = _cases(item)
    if cases is not None:
        item.user_properties.append((_CASES, (cases.passed, cases.skipped, cases.left_out)))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write the questions that Spark has answered, in the process that has all of them."""
    config = session.config
    found = [
        (answers.check, answers.sources, answers.asked, answers.known, sorted(answers.expected))
        for answers in Answers.of_this_process()
    ]
    if hasattr(config, "workeroutput"):
        config.workeroutput[_ANSWERS] = found
        return
    config.stash[_FOUND] = [*config.stash.get(_FOUND, []), *found]
    if config.getoption("remember"):
        expected: dict[str, set[str]] = {}
        sources: dict[str, Sequence[str]] = {}
        for check, decided_by, _, _, digests in config.stash[_FOUND]:
            expected.setdefault(check, set()).update(digests)
            sources[check] = decided_by
        write_answers(expected, {check: sources[check] for check, digests in expected.items() if digests})


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: WorkerController) -> None:
    """Take over what Spark has answered the tests of a process."""
    stash = node.config.stash
    stash[_FOUND] = [*stash.get(_FOUND, []), *getattr(node, "workeroutput", {}).get(_ANSWERS, [])]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the number of cases."""
    properties = [pair for report in terminalreporter.getreports("passed") for pair in report.user_properties]
    counts = [count for name, count in properties if name == _CASES]
    if counts:
        passed, skipped, left_out = map(sum, zip(*counts, strict=True))
        rest = f", and left out {left_out} of a sample" if left_out else ""
        terminalreporter.write_line(f"{len(counts)} tests ran {passed} cases, skipped {skipped}{rest}")
    found = terminalreporter.config.stash.get(_FOUND, [])
    asked, known = (sum(counts[at] for counts in found) for at in (2, 3))
    if asked or known:
        terminalreporter.write_line(f"Spark was asked {asked} questions, and had answered {known} others before")
        changed = changed_sources()
        if changed:
            terminalreporter.write_line(
                "What it had answered before these files changed, it was asked again, as in each run until "
                f"'make remember': {', '.join(changed)}"
            )


def _uses_jvm(item: pytest.Item) -> bool:
    return "jvm" in getattr(item, "fixturenames", ())


_begun: Path | None = None
"""The file of the last test."""
_files = 0
"""How many files have been begun."""
_FILES_OF_A_ROUND = 8


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Before each file of tests, take all living objects out of the garbage collector's rounds.

    These are a million objects that stay: what was collected, and the caches of the library. A round over them takes
    0.35 seconds, and the tests that count calls have one made before each count. What is garbage is looked for before
    some files only; the other files leave theirs.
    """
    global _begun, _files
    if item.path != _begun:
        _begun = item.path
        if _files % _FILES_OF_A_ROUND == 0:
            gc.collect()
        _files += 1
        gc.freeze()


@pytest.fixture
def short_stack() -> Iterator[None]:
    """Give Python's stack 500 frames, too few for a function that calls itself for each of ``DEPTH`` levels."""
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(500)
    yield
    sys.setrecursionlimit(usual)


@pytest.fixture(scope="session")
def jvm() -> None:
    """Mark the tests that use it, through other fixtures too, as those that start a JVM, in whatever process."""


@pytest.fixture(scope="session")
def spark(jvm: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """The embedded session, with a metastore that is deleted after the run.

    A test that changes settings or registers functions uses ``spark.newSession()``.
    """
    from tableapi.spark.session import embedded_session, stop_embedded_session
    from tests.jvm_names import remember_names

    remember_names()
    yield embedded_session(warehouse=tmp_path_factory.mktemp("spark home"))
    stop_embedded_session()


@pytest.fixture(scope="session")
def connect_address(spark: SparkSession) -> Iterator[str]:
    """The address of a Spark Connect server in the suite's only JVM, so that it needs no second start."""
    if importlib.util.find_spec("grpc") is None:
        pytest.skip("needs the extra 'connect'")
    from tests.connect_server import served

    with served(spark) as address:
        yield address


@pytest.fixture(scope="session")
def postgres_server(spark: SparkSession) -> Iterator[tuple[str, Path, int]]:
    """A PostgreSQL of the run: its URL, the directory of its programs, and its port."""
    from tests.formats import databases

    if databases.postgres_programs() is None:
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql libpostgresql-jdbc-java.")
    with databases.postgres(spark) as started:
        yield started


@pytest.fixture(scope="session")
def tables_in_spark(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tables]:
    """The tables of the test programs in a session with a catalog in memory; created once, since that takes seconds."""
    from tests.programs.tables import programs_in_spark
    from tests.sessions_in_memory import session_in_memory

    with programs_in_spark(session_in_memory(spark, tmp_path_factory.mktemp("programs"))) as tables:
        yield tables
