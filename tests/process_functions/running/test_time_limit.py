"""Calls that do not return are interrupted, and named with their row or partition."""

from __future__ import annotations

import datetime as dt
import itertools
import signal
import time
from collections.abc import Iterator

import pyarrow as pa
import pytest

from ir.operations.process import ProcessTable
from tableapi import Row, ValidationException
from tableapi.expressions import col, descriptor
from tableapi.process_functions import Context, OnTimerContext, ProcessTableFunction, TableAsSet
from tableapi.spark import versions
from tableapi.spark.planner.process import plan_call, process_calls
from tableapi.spark.runtime.failures import FunctionFailed
from tableapi.spark.runtime.process.running import Running
from tableapi.spark.runtime.process.time_limit import LIMIT
from tableapi.spark.types import to_spark
from tests.process_functions.model_calls import environment

SECONDS = 0.05


class Stays(ProcessTableFunction):
    """Do not return from the row or the timer that says so."""

    def eval(self, ctx: Context, row: TableAsSet[Row]) -> Iterator[str]:
        if row.what == "loops":
            while True:
                pass
        elif row.what == "waits":
            time.sleep(60)
        elif row.what == "yields":
            yield from itertools.repeat("again")
        elif row.what == "swallows":
            for _ in itertools.count():
                try:
                    time.sleep(SECONDS)
                except Exception:
                    continue
        elif row.what == "timer":
            ctx.timers().register_on_time("stays", row.ts)
        elif row.what == "slow":
            time.sleep(SECONDS / 5)
        yield row.what

    def on_timer(self, ctx: OnTimerContext) -> Iterator[str]:
        time.sleep(60)
        yield "never"


def _call() -> ProcessTable:
    table = environment().declare("stays", {"k": "STRING", "ts": "TIMESTAMP", "what": "STRING"})
    (call,) = process_calls(table.partition_by(col("k")).process(Stays, on_time=descriptor("ts")).query_operation)
    return call


def _run(*rows: str, limit: str = f"{SECONDS} s") -> int:
    """Run the function over rows, and return the number of its output rows."""
    call = _call()
    output = versions.arrow_schema(to_spark(call.schema.as_row_type()))  # type: ignore[arg-type]  # a row is a struct of Spark
    running = Running(plan_call(call).plan(output, {LIMIT: limit}))
    times = [dt.datetime(2026, 1, 1) + dt.timedelta(seconds=number) for number in range(len(rows))]
    batch = pa.record_batch({"k": ["a"] * len(rows), "ts": pa.array(times, pa.timestamp("us")), "what": [*rows]})
    try:
        made = [*running.rows(batch, []), *running.end()]
    finally:
        running.close()
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    return sum(part.num_rows for part in made)


@pytest.mark.parametrize("what", ["loops", "waits", "yields", "swallows"])
def test_a_call_that_does_not_return_is_named_with_its_row(what: str) -> None:
    began = time.monotonic()
    with pytest.raises(FunctionFailed, match=rf"Stays\.eval.*what='{what}'.*has not returned within 0\.05 seconds"):
        _run("first", what, "last")
    assert time.monotonic() - began < 30


def test_a_timer_that_does_not_return_is_named_with_its_partition() -> None:
    with pytest.raises(FunctionFailed, match=r"Stays\.on_timer.*partition=\('a',\).*has not returned within 0\.05"):
        _run("timer", "last")


def test_many_calls_may_take_longer_than_one() -> None:
    assert _run(*["slow"] * 20) == 20


def test_a_limit_is_a_duration() -> None:
    with pytest.raises(ValidationException, match=rf"{LIMIT} is a duration such as '30s'.*'soon' was given"):
        _run("first", limit="soon")
