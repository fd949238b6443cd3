"""Programs with cumulative windows."""

from __future__ import annotations

import datetime as dt

from tableapi import DataTypes
from tableapi.expressions import col, cumulative_windows, explode, lit
from tableapi.window import Cumulate
from tests.programs.program import program
from tests.programs.times import at

CUMULATIVE = Cumulate.over(lit(10).minutes).every(lit(5).minutes).on(col("ts")).alias("w")

program(
    "cumulate",
    lambda t: (
        t.events.window(CUMULATIVE)
        .group_by(col("w"))
        .select(col("w").start.alias("ws"), col("w").end.alias("we"), col("v").sum.alias("s"))
    ),
    rows=[
        (at(10), at(10, 5), 10),
        (at(10), at(10, 10), 13),
        (at(10, 10), at(10, 15), 4),
        (at(10, 10), at(10, 20), 4),
        (at(10, 30), at(10, 35), 5),
        (at(10, 30), at(10, 40), 5),
        (at(11), at(11, 5), 6),
        (at(11), at(11, 10), 6),
    ],
)
program(
    "cumulate_by_key",
    lambda t: (
        t.events.filter(col("ts") < at(10, 10))
        .window(CUMULATIVE)
        .group_by(col("k"), col("w"))
        .select(col("k"), col("w").rowtime.alias("last"), lit(1).count.alias("n"))
        .filter(col("n") > 1)
    ),
    rows=[("a", at(10, 4, 59, 999000), 2), ("a", at(10, 9, 59, 999000), 2)],
)
program(
    "cumulate_under_the_name_of_a_column",
    lambda t: (
        t.events.select(col("k").alias("end"), col("v").alias("window_start"), col("ts").alias("window_key_0"))
        .window(Cumulate.over(lit(1).hours).every(lit(30).minutes).on(col("window_key_0") - lit(1).hours).alias("end"))
        .group_by(col("end"))
        .select(col("end").end.alias("until"), col("end").max.alias("greatest"), col("window_start").sum.alias("s"))
    ),
    # Inside an aggregate, the alias means the column.
    rows=[(at(9, 30), "b", 17), (at(10), "b", 22), (at(10, 30), "a", 6), (at(11), "a", 6)],
)
program(
    "cumulate_instants",
    lambda t: (
        t.events.window(Cumulate.over(lit(1).days).every(lit(12).hours).on(col("instant")).alias("w"))
        .group_by(col("w"))
        .select(col("w").start.alias("ws"), col("w").end.alias("we"), lit(1).count.alias("n"))
    ),
    rows=[(dt.datetime(2024, 1, 1, tzinfo=dt.UTC), dt.datetime(2024, 1, 2, tzinfo=dt.UTC), 7)],
    no_flink="windows over a TIMESTAMP_LTZ begin at times of the session's time zone",
)
program(
    "cumulate_of_nothing",
    lambda t: (
        t.nothing.add_columns(col("b").cast(DataTypes.TIMESTAMP()).alias("ts"))
        .window(CUMULATIVE)
        .group_by(col("w"))
        .select(col("w"), col("a").sum.alias("s"))
    ),
    rows=[],
)
program(
    "rows_with_cumulative_windows",
    lambda t: (
        t.events.join_lateral(explode(cumulative_windows(col("ts"), "30 minutes", "1 hour", "15 minutes")).alias("w"))
        .filter(col("v") > 4)
        .select(col("v"), col("w").start.alias("ws"), col("w").end.alias("we"))
    ),
    rows=[
        (5, at(10, 15), at(10, 45)),
        (5, at(10, 15), at(11, 15)),
        (6, at(10, 15), at(11, 15)),
        (7, at(9, 15), at(10, 15)),
    ],
)
