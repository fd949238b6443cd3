"""Programs that call the function ``window`` in keys and in aggregates."""

from __future__ import annotations

import datetime as dt

from pyspark.sql import functions as f

from tableapi.expressions import call, col, lit
from tableapi.window import Tumble
from tests.programs.program import program
from tests.programs.times import at

TEN_MINUTES = Tumble.over(lit(10).minutes).on(col("ts")).alias("w")
_NO_TABLE_FUNCTION = "WINDOW is a table function there"

program(
    "group_by_the_start_of_a_window",
    lambda t: t.events.group_by(call("window", col("ts"), "10 minutes").start.alias("s")).select(
        col("s"), lit(1).count.alias("c")
    ),
    rows=[(at(10), 4), (at(10, 10), 1), (at(10, 30), 1), (at(11), 1)],
    dataframe=lambda d: d.events.groupBy(f.window("ts", "10 minutes").start.alias("s")).agg(f.count("*").alias("c")),
    no_flink=_NO_TABLE_FUNCTION,
)
program(
    "latest_window_of_each_key",
    lambda t: t.events.group_by(col("k")).select(
        col("k"), call("window", col("ts"), "10 minutes").start.max.alias("latest"), lit(1).count.alias("c")
    ),
    # The row without a time is in no window.
    rows=[("a", at(11), 4), ("b", at(10, 30), 2), (None, at(10), 1)],
    no_flink=_NO_TABLE_FUNCTION,
)
program(
    "windows_of_an_aggregate",
    lambda t: (
        t.events.group_by(col("k"))
        .select(col("k"), col("ts").max.alias("latest"))
        .select(col("k"), call("window", col("latest"), "10 minutes").start.alias("s"))
    ),
    rows=[("a", at(11)), ("b", at(10, 30)), (None, at(10))],
    dataframe=lambda d: (
        d.events.groupBy("k")
        .agg(f.max("ts").alias("latest"))
        .select("k", f.window("latest", "10 minutes").start.alias("s"))
    ),
    no_flink=_NO_TABLE_FUNCTION,
)
program(
    "groups_chosen_by_the_window_of_an_aggregate",
    lambda t: (
        t.events.group_by(col("k"))
        .select(col("k"), col("ts").max.alias("latest"))
        .select(col("k"), call("window", col("latest"), "1 hour").alias("hour"))
        .filter(col("hour").start == lit(at(10)))
        .select(col("k"))
    ),
    rows=[("b",), (None,)],
    no_flink=_NO_TABLE_FUNCTION,
)
program(
    "windows_of_windows",
    lambda t: (
        t.events.window(TEN_MINUTES)
        .group_by(col("w"))
        .select(col("w").alias("window"), col("v").sum.alias("s"))
        .group_by(call("window", col("window"), "1 hour").alias("h"))
        .select(col("h").start.alias("hour"), col("s").sum.alias("s"), col("window").count.alias("c"))
    ),
    # A window belongs to the hour of its last microsecond.
    rows=[(at(10), 22, 3), (at(11), 6, 1)],
    no_flink="Flink has no such function",
)
program(
    "window_of_each_row",
    lambda t: t.events.filter(col("v") > 5).select(
        col("e"), call("window", col("instant"), "1 day", "1 day", "2 hours").start.alias("window")
    ),
    rows=[
        (6, dt.datetime(2024, 1, 1, 2, tzinfo=dt.UTC)),
        (7, dt.datetime(2024, 1, 1, 2, tzinfo=dt.UTC)),
    ],
    dataframe=lambda d: d.events.where(f.col("v") > 5).select(
        "e", f.window("instant", "1 day", startTime="2 hours").start.alias("window")
    ),
    no_flink=_NO_TABLE_FUNCTION,
)
