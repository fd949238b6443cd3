"""Async functions on Spark: failures reach the user, options take effect, and every kind of name works."""

from __future__ import annotations

import asyncio
import json
import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ir.errors import TableException, ValidationException
from tableapi import AsyncScalarFunction, FunctionContext, Table, TableEnvironment, udf
from tableapi.expressions import call, col
from tests.async_functions.service import Drop, Hang, Refuse, Service, Twice, ask

pytestmark = pytest.mark.long

PREFIX = "table.exec.async-scalar."


def rows_of(table: Table) -> list[tuple[Any, ...]]:
    return sorted((tuple(row) for row in table.execute().collect()), key=repr)


@pytest.fixture
def configured(env: TableEnvironment) -> Iterator[TableEnvironment]:
    """The environment; its options are reset after the test."""
    yield env
    for key in env.get_config().to_map():
        if key.startswith(PREFIX):
            env.get_config().clear(key)


@pytest.fixture
def answering(service: Service) -> Iterator[Service]:
    """The service; after the test, it answers with the first argument again."""
    yield service
    service.answers.clear()


# --- failures --------------------------------------------------------------------------------------------------------


def test_failures_two_times_then_success(env: TableEnvironment, answering: Service) -> None:
    answering.answer("f", lambda arguments, before: Refuse if before < 2 else arguments[0])
    assert rows_of(env.sql_query("SELECT f(id) FROM t WHERE id < 3")) == [(10,), (20,)]
    assert answering.counts() == {"f": 6}


def test_the_error_names_function_arguments_and_attempts(env: TableEnvironment, answering: Service) -> None:
    answering.answer("f", lambda arguments, before: Refuse if arguments[0] == 4 else arguments[0])
    with pytest.raises(TableException) as raised:
        env.sql_query("SELECT f(id) FROM t").execute()
    told = str(raised.value)
    assert "The function f failed on (4) after 3 attempts: " in told
    assert "ServiceError: refused" in told
    assert 'return int(await ask(port, "f", x)) * 10' in told
    assert "asynchronous/calls.py" not in told


def test_random_errors_keep_all_rows_in_order(env: TableEnvironment, answering: Service) -> None:
    chance = random.Random(7)
    answers = [Refuse, Drop, "answer", "answer", "twice"]

    def answer(arguments: list[Any], before: int) -> Any:
        chosen = chance.choice(answers)
        if chosen == "twice":
            return Twice(arguments[0])
        return arguments[0] if chosen == "answer" else chosen

    answering.answer("f", answer)
    port = answering.port

    @udf(max_attempts=50, fixed_delay="1 ms", buffer_capacity=30)
    async def unsteady(x: int) -> int:
        return int(await ask(port, "f", x)) * 2

    t = env.from_spark(env.spark.range(0, 400, 1, 3))
    found = rows_of(t.select(col("id"), unsteady(col("id")).alias("r")))
    assert found == sorted([(i, 2 * i) for i in range(400)], key=repr)


def test_a_service_that_hangs(configured: TableEnvironment, answering: Service) -> None:
    answering.answer("f", lambda arguments, before: Hang if arguments[0] == 2 else arguments[0])
    configured.get_config().set(PREFIX + "system.f.timeout", "300 ms")
    with pytest.raises(TableException, match=r"f failed on \(2\) after 1 attempt: .*no result within 0\.3 s"):
        configured.sql_query("SELECT f(id) FROM t").execute()
    configured.get_config().set(PREFIX + "system.f.on-failure", "NULL")
    assert rows_of(configured.sql_query("SELECT id, f(id) FROM t WHERE id < 4")) == [(1, 10), (2, None), (3, 30)]


@pytest.mark.nightly
@pytest.mark.skipif(sys.platform == "win32", reason="it kills a process")
@pytest.mark.usefixtures("jvm")
def test_a_task_that_is_killed_and_tried_again(answering: Service, tmp_path: Path) -> None:
    """A separate Spark that retries tasks: a worker dies in the middle of its calls."""
    ended = subprocess.run(
        [sys.executable, "-m", "tests.async_functions.killed_task", str(answering.port), str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        cwd=Path(__file__).parents[2],
    )
    assert ended.returncode == 0, ended.stderr[-3000:]
    told = json.loads(ended.stdout.splitlines()[-1])
    assert told["rows"] == [[i, i * 10] for i in range(200)]
    assert (tmp_path / "killed").exists()
    # The second attempt of the task repeats its calls; within each attempt, no call is repeated.
    assert answering.most_with_equal_arguments() == 2


def _ended(service: Service) -> bool:
    """Wait until the processes that have called the service are gone, and return whether they are.

    A worker whose task did not finish is not reused. Between two batches it has no call in flight, so that its
    connections would not reveal it.
    """
    until = time.monotonic() + 60
    while (is_left := any(map(_runs, service.callers))) and time.monotonic() < until:
        time.sleep(0.1)
    return not is_left


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture
def in_small_batches(env: TableEnvironment) -> Iterator[TableEnvironment]:
    """The environment with smaller Arrow batches than usual, since a batch is always computed as a whole."""
    key = "spark.sql.execution.arrow.maxRecordsPerBatch"
    env.spark.conf.set(key, "500")
    yield env
    env.spark.conf.unset(key)


@pytest.mark.skipif(sys.platform == "win32", reason="it asks whether processes run")
def test_no_tasks_remain_after_early_ends_and_failures(in_small_batches: TableEnvironment, answering: Service) -> None:
    env = in_small_batches
    # A worker notices that nobody reads only when its full buffer is sent, so the results are long.
    answering.answer("h", lambda arguments, before: "long" * 100)
    frame = env.sql_query("SELECT h(id, 0) AS r FROM RANGE(0, 100000)").to_spark()
    assert len(frame.take(3)) == 3
    assert answering.callers
    assert _ended(answering)
    assert len(answering.calls) < 50_000
    both = env.spark.sparkContext.defaultParallelism > 1
    answering.answer("h", lambda arguments, before: _refused_while_both_run(answering, both, arguments[0]))
    with pytest.raises(TableException, match=r"h failed on \(50, 0\)"):
        env.sql_query("SELECT h(id, 0) AS r FROM RANGE(0, 100000, 1, 2)").execute()
    assert _ended(answering)


async def _refused_while_both_run(service: Service, both: bool, value: int) -> Any:
    """Reject one value of the first task once the second task has called, since that might otherwise begin later."""
    while value == 50 and both and not any(arguments[0] >= 50_000 for _, arguments in service.calls):
        await asyncio.sleep(0.01)
    return Refuse if value == 50 else "long" * 100


@pytest.mark.skipif(sys.platform == "win32", reason="it asks whether processes run")
def test_no_tasks_remain_after_cancellation(env: TableEnvironment, answering: Service) -> None:
    answering.answer("f", lambda arguments, before: Hang)
    failures: list[BaseException] = []

    def run() -> None:
        try:
            env.sql_query("SELECT f(id) AS r FROM RANGE(0, 100, 1, 2)").execute()
        except TableException as error:
            failures.append(error)

    running = threading.Thread(target=run)
    running.start()
    # Each task makes as many calls as its buffer holds, and waits for their results.
    most = 10 * min(2, env.spark.sparkContext.defaultParallelism)
    until = time.monotonic() + 60
    while len(answering.calls) < most and time.monotonic() < until:
        time.sleep(0.1)
    assert len(answering.calls) == most
    env.spark.sparkContext.cancelAllJobs()
    running.join(60)
    assert failures
    assert _ended(answering)


# --- options ---------------------------------------------------------------------------------------------------------


def test_select_with_configs(configured: TableEnvironment, answering: Service) -> None:
    """AsyncCalcITCase.testSelectWithConfigs; in addition, each task has the full capacity."""
    configured.get_config().set(PREFIX + "max-concurrent-operations", "4")
    configured.get_config().set(PREFIX + "timeout", "60 s")
    most = 4 * min(2, configured.spark.sparkContext.defaultParallelism)
    answering.answer("f", lambda arguments, before: _once_so_many(answering, most, arguments[0]))
    query = "SELECT SUM(r) FROM (SELECT f(id) AS r FROM RANGE(0, 40, 1, 2))"
    assert rows_of(configured.sql_query(query)) == [(7800,)]
    assert answering.most_in_flight == most


async def _once_so_many(service: Service, most: int, value: int) -> int:
    """Answer once this many calls have been in flight at the same time."""
    while service.most_in_flight < most:
        await asyncio.sleep(0.01)
    return value


def test_options_of_the_configuration_count(configured: TableEnvironment, answering: Service) -> None:
    query = "SELECT SUM(r) FROM (SELECT f(id) AS r FROM (SELECT /*+ COALESCE(1) */ * FROM RANGE(0, 60)))"
    answering.latency = 0.02
    assert rows_of(configured.sql_query(query)) == [(17700,)]
    assert answering.most_in_flight == 10
    configured.execute_sql(f"SET '{PREFIX}system.f.buffer-capacity' = '25'")
    answering.reset()
    answering.latency = 0.02
    assert rows_of(configured.sql_query(query)) == [(17700,)]
    assert answering.most_in_flight == 25
    configured.execute_sql(f"SET '{PREFIX}system.f.deduplicate' = 'true'")
    answering.reset()
    answering.latency = 0.02
    assert rows_of(configured.sql_query(query.replace("f(id)", "f(id % 3)"))) == [(600,)]
    assert answering.counts()["f"] < 30


def test_values_instead_of_results(env: TableEnvironment, answering: Service) -> None:
    answering.answer("d", lambda arguments, before: Refuse)
    port = answering.port

    @udf(default_value="nothing", retryable=lambda error: False)
    async def with_default(x: int) -> str:
        return str(await ask(port, "d", x))

    t = env.from_path("t").filter(col("id") == 1)
    assert rows_of(t.select(with_default(col("id")))) == [("nothing",)]
    assert answering.counts() == {"d": 1}

    @udf(default_value=3)
    async def wrong_default(x: int) -> str:
        return ""

    with pytest.raises(ValidationException, match="default_value 3 of wrong_default is no value of its type STRING"):
        t.select(wrong_default(col("id"))).execute()


def test_rows_that_leave_as_they_are_done(env: TableEnvironment, answering: Service) -> None:
    answering.answer("u", lambda arguments, before: _later(arguments[0]))
    single = "SELECT /*+ COALESCE(1) */ * FROM t"
    found = env.sql_query(f"SELECT id, k, v, u(id) FROM ({single})").execute().collect()
    backwards = [(i, 1 - i % 2, None if i == 3 else i * 2, i * 100) for i in (6, 5, 4, 3, 2, 1)]
    assert [tuple(row) for row in found] == backwards
    # An ORDER BY of the query is kept.
    ordered = env.sql_query(f"SELECT id, u(id) FROM ({single}) ORDER BY id").execute().collect()
    assert [row[0] for row in ordered] == [1, 2, 3, 4, 5, 6]
    assert "UNORDERED" not in env.sql_query("SELECT u(id) FROM t ORDER BY id").explain()
    assert "UNORDERED" not in env.sql_query("SELECT ARRAY_AGG(r) FROM (SELECT u(id) AS r FROM t)").explain()
    assert "UNORDERED" in env.sql_query("SELECT SUM(r) FROM (SELECT u(id) AS r FROM t)").explain()


async def _later(value: int) -> int:
    await asyncio.sleep((6 - value) / 20)
    return value


# --- places of calls -------------------------------------------------------------------------------------------------


class Opened(AsyncScalarFunction):
    """A function with ``open`` that takes many calls at once."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.greeting = "never opened"

    async def open(self, function_context: FunctionContext) -> None:  # type: ignore[override]  # a coroutine
        self.greeting = function_context.get_job_parameter("python.greeting", "hello")
        await ask(self.port, "open", 0)

    async def close(self) -> None:  # type: ignore[override]  # a coroutine
        await ask(self.port, "close", 0)

    async def eval(self, x: int) -> str:  # type: ignore[override]  # its own parameters
        raise NotImplementedError

    async def eval_batch(self, calls: list[tuple[int]]) -> list[str]:
        await ask(self.port, "batch", len(calls))
        return [f"{self.greeting} {x}" for (x,) in calls]


def test_opened_and_closed_once_and_called_in_batches(env: TableEnvironment, service: Service) -> None:
    opened = udf(Opened(service.port), batch_size=4)
    env.get_config().set("python.greeting", "good day")
    t = env.sql_query("SELECT /*+ COALESCE(1) */ * FROM t")
    found = t.select(opened(col("id")).alias("a"), opened(col("k")).alias("b")).filter(col("a") != "x")
    assert ("good day 1", "good day 0") in rows_of(found)
    assert service.counts()["open"] == service.counts()["close"] == 2
    assert sorted(arguments[0] for name, arguments in service.calls if name == "batch") == [2, 2, 4, 4]


class Stored(AsyncScalarFunction):
    """A function that a catalog stores by its import path."""

    async def open(self, context: FunctionContext) -> None:
        self.port = int(context.get_job_parameter("python.port", ""))

    async def eval(self, x: int) -> int:
        return int(await ask(self.port, "stored", x))


def test_all_kinds_of_names_in_sql(env: TableEnvironment, service: Service) -> None:
    port = service.port

    @udf
    async def named(x: int) -> int:
        return int(await ask(port, "named", x))

    env.create_temporary_function("in_database", named)
    config = env.get_config().set("python.port", str(port)).set("python.functions.packages", "tests")
    env.create_function("stored", Stored)
    env.execute_sql(f"CREATE FUNCTION declared AS '{__name__}.Stored' LANGUAGE PYTHON")
    assert rows_of(env.sql_query("SELECT in_database(id), stored(id), declared(id) FROM t WHERE id = 2")) == [(2, 2, 2)]
    t = env.from_path("t").filter(col("id") == 2)
    assert rows_of(t.select(named(col("id")), call("in_database", col("id")), call("stored", col("k")))) == [(2, 2, 1)]
    env.drop_temporary_function("in_database")
    for name in ("stored", "declared"):
        env.drop_function(name)
    for key in ("python.port", "python.functions.packages"):
        config.clear(key)


def test_temporary_views_are_planned_with_the_query(env: TableEnvironment, service: Service) -> None:
    env.create_temporary_view("calling", env.sql_query("SELECT id, k, f(id) AS r FROM t"))
    env.create_temporary_view("over_it", env.sql_query("SELECT * FROM calling WHERE k = 1"))
    assert rows_of(env.sql_query("SELECT r FROM over_it WHERE id > 2 AND r > 45")) == [(60,)]
    assert service.counts() == {"f": 2}
    env.drop_temporary_view("over_it")
    env.drop_temporary_view("calling")


def test_dataframes_and_inserts(env: TableEnvironment, service: Service) -> None:
    frame = env.sql_query("SELECT id, f(id) AS r FROM t").to_spark()
    assert frame.where("r > 40").count() == 2
    assert service.counts()["f"] == 6
    service.reset()
    env.execute_sql("CREATE TABLE kept_results (id BIGINT, r BIGINT) USING parquet")
    env.sql_query("SELECT id, f(id) AS r FROM t").execute_insert("kept_results").wait()
    assert service.counts() == {"f": 6}
    assert len(rows_of(env.from_path("kept_results"))) == 6
    env.execute_sql("DROP TABLE kept_results")


def test_results_of_other_types_go_from_call_to_call_as_queries_would_have_them(env: TableEnvironment) -> None:
    import datetime as dt
    from decimal import Decimal

    @udf(result_type="ROW<price DECIMAL(10, 2), at TIMESTAMP_LTZ, tags MAP<STRING, ARRAY<INT>>>")
    async def made(x: int) -> Any:
        return (Decimal("1.005"), dt.datetime(2024, 1, 1, 12, tzinfo=dt.timezone(dt.timedelta(hours=2))), {"a": [x]})

    @udf(result_type="STRING")
    async def shown(row: Any) -> str:
        return f"{row.price} {row.at.astimezone(dt.UTC):%H:%M} {row.tags}"

    t = env.from_path("t").filter(col("id") == 1)
    direct = rows_of(t.select(shown(made(col("id")))))
    assert direct == [("1.01 10:00 {'a': [1]}",)]


def test_without_arguments_and_without_rows(env: TableEnvironment, service: Service) -> None:
    port = service.port

    @udf
    async def nothing() -> int:
        return int(await ask(port, "nothing", 5))

    t = env.from_path("t")
    assert rows_of(t.filter(col("id") < 3).select(nothing())) == [(5,), (5,)]
    service.reset()
    assert rows_of(t.filter(col("id") > 99).select(call("f", col("id")), nothing())) == []
    assert service.counts() == {}
