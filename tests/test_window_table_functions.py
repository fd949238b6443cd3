"""Window table functions: which calls are one tree, and which are rejected with which message."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from ir.rendering import Dialect
from tableapi import Table, TableEnvironment, TableException, ValidationException
from tableapi.expressions import call, col, descriptor, lit
from tests.programs.tables import DATABASE, Tables, environment_without_spark

ENV: TableEnvironment = environment_without_spark()
EVENTS: Table = Tables(ENV).events
TIME = descriptor("ts")
MINUTES = lit(10).minutes
NAME = f"spark_catalog.{DATABASE}.events"
ROWS = EVENTS.process("TUMBLE", TIME, MINUTES)


@pytest.mark.parametrize(
    "make",
    [
        lambda: ENV.from_call("tumble", EVENTS, TIME, MINUTES),
        lambda: ENV.from_call("Tumble", SIZE=MINUTES, DATA=EVENTS, TIMECOL=TIME),
        lambda: EVENTS.as_argument("data").process("TUMBLE", TIMECOL=TIME, SIZE=lit(600).seconds),
        lambda: EVENTS.process("TUMBLE", TIME, MINUTES, lit(0).minutes),
        lambda: ENV.sql_query(f"SELECT * FROM TUMBLE({NAME}, DESCRIPTOR(ts), INTERVAL '10' MINUTE)"),
        lambda: ENV.sql_query(f"SELECT * FROM TABLE(TUMBLE(TABLE {NAME}, DESCRIPTOR(TS), INTERVAL '600' SECONDS))"),
        lambda: ENV.sql_query(f"FROM TUMBLE((SELECT * FROM {NAME}), DESCRIPTOR(ts), INTERVAL '10' MINUTE) |> SELECT *"),
        lambda: ENV.sql_query(
            f"SELECT * FROM TUMBLE(SIZE => INTERVAL '10' MINUTE, TIMECOL => DESCRIPTOR(ts), DATA => TABLE {NAME})"
        ),
    ],
)
def test_equal_trees(make: Callable[[], Table]) -> None:
    assert make().query_operation is ROWS.query_operation


@pytest.mark.parametrize("dialect", Dialect)
def test_grouping_by_both_bounds_is_a_group_window(dialect: Dialect) -> None:
    read = ENV.sql_query(
        f"SELECT window_start AS a, SUM(v) AS s FROM TABLE(TUMBLE(TABLE {NAME}, DESCRIPTOR(ts), INTERVAL '10' MINUTE)) "
        "GROUP BY window_start, window_end",
        dialect=dialect,
    )
    assert "GROUP BY WINDOW(`ts`, '10 minutes')" in read.as_serializable_string()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: EVENTS.process("TUMBLE", TIME), "TUMBLE needs SIZE. It is called as TUMBLE([DATA =>] TABLE t"),
        (lambda: ENV.from_call("HOP", EVENTS, TIME, MINUTES), "HOP needs SIZE"),
        (lambda: EVENTS.process("TUMBLE", TIME, SISE=MINUTES), "no argument named 'SISE'. Did you mean 'SIZE'?"),
        (lambda: EVENTS.process("TUMBLE", TIME, MINUTES, SIZE=MINUTES), "TUMBLE was given SIZE twice"),
        (
            lambda: EVENTS.process("SESSION", TIME, MINUTES, MINUTES),
            "SESSION takes 3 arguments at most, but was given 4",
        ),
        (lambda: ENV.from_call("TUMBLE", 1, TIME, MINUTES), "The argument DATA of TUMBLE must be a table"),
        (lambda: EVENTS.process("TUMBLE", col("ts"), MINUTES), "The argument TIMECOL of TUMBLE must name one column"),
        (lambda: EVENTS.process("TUMBLE", descriptor("ts", "day"), MINUTES), "must name one column of times"),
        (
            lambda: EVENTS.process("TUMBLE", descriptor("tz"), MINUTES),
            "Cannot resolve field [tz], input field list:[e, k, v, ts, instant, day].",
        ),
        (
            lambda: EVENTS.process("TUMBLE", descriptor("v"), MINUTES),
            "over a TIMESTAMP or a TIMESTAMP_LTZ, but v is of type INT",
        ),
        (lambda: EVENTS.process("TUMBLE", descriptor("day"), MINUTES), "but day is of type DATE"),
        (
            lambda: EVENTS.process("TUMBLE", TIME, lit(10)),
            "The argument SIZE of TUMBLE must be a constant length of time",
        ),
        (lambda: EVENTS.process("TUMBLE", TIME, lit(1).months), "It is INTERVAL"),
        (lambda: EVENTS.process("TUMBLE", TIME, lit(0).days), "The size of a window must be longer than 0"),
        (
            lambda: EVENTS.process("TUMBLE", TIME, MINUTES, lit(11).minutes),
            "The offset of a window must be shorter than",
        ),
        (
            lambda: EVENTS.process("HOP", TIME, lit(20).minutes, MINUTES),
            "The slide of a window must not be longer than",
        ),
        (lambda: EVENTS.process("CUMULATE", TIME, lit(3).minutes, MINUTES), "must be a multiple of their step"),
        (lambda: EVENTS.process("SESSION", TIME, lit(0).minutes), "The gap of a session must be longer than 0"),
        (
            lambda: EVENTS.partition_by(col("k")).process("HOP", TIME, MINUTES, MINUTES),
            "Only tables with set semantics",
        ),
        (
            lambda: EVENTS.partition_by(col("k")).order_by(col("v")).process("SESSION", TIME, MINUTES),
            "SESSION takes rows in the order of their times: its table has no ORDER BY",
        ),
        (
            lambda: ENV.sql_query(
                f"SELECT * FROM SESSION(TABLE {NAME} PARTITION BY k ORDER BY v, DESCRIPTOR(ts), INTERVAL '1' DAY)"
            ),
            "SESSION takes rows in the order of their times: its table has no ORDER BY",
        ),
        (lambda: ENV.from_call("TUMBEL", EVENTS), "There is no function named 'TUMBEL'"),
        (
            lambda: ENV.sql_query(
                f"SELECT * FROM TUMBLE(TABLE {NAME} PARTITION BY k, DESCRIPTOR(ts), INTERVAL '1' DAY)"
            ),
            "Only tables with set semantics may be partitioned",
        ),
        (lambda: ENV.sql_query(f"SELECT * FROM HOP({NAME}, DESCRIPTOR(ts), INTERVAL '1' DAY)"), "HOP needs SIZE"),
    ],
)
def test_rejected_calls(make: Callable[[], Table], message: str) -> None:
    with pytest.raises(TableException, match=re.escape(message)):
        make()


def test_a_whole_call() -> None:
    made = ENV.from_call(call("TUMBLE", EVENTS, TIME, MINUTES))
    assert made.query_operation is ROWS.query_operation
    with pytest.raises(ValidationException, match="TUMBLE needs SIZE"):
        ENV.from_call(call("TUMBLE", EVENTS, TIME))
