"""Programs with group windows: tumbling, sliding and session windows over times."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal as D

from pyspark.sql import functions as f

from tableapi import DataTypes
from tableapi.expression import TimeIntervalUnit
from tableapi.expressions import call, col, concat, lit
from tableapi.window import Session, Slide, Tumble
from tests.programs.program import program
from tests.programs.times import at


def _instant(hour, minute=0, second=0):  # type: ignore[no-untyped-def]
    return dt.datetime(2024, 1, 1, hour, minute, second, tzinfo=dt.UTC)


TEN_MINUTES = Tumble.over(lit(10).minutes).on(col("ts")).alias("w")
SLIDING = Slide.over(lit(10).minutes).every(lit(5).minutes).on(col("ts")).alias("w")
SESSIONS = Session.with_gap(lit(6).minutes).on(col("ts")).alias("w")

# --- tumbling ---------------------------------------------------------------------------------------------------------

program(
    "tumble",
    lambda t: (
        t.events.window(TEN_MINUTES)
        .group_by(col("w"))
        .select(col("w").start.alias("ws"), col("w").end.alias("we"), col("v").sum.alias("s"))
    ),
    # The row without a time is in no window.
    rows=[
        (at(10), at(10, 10), 13),
        (at(10, 10), at(10, 20), 4),
        (at(10, 30), at(10, 40), 5),
        (at(11), at(11, 10), 6),
    ],
    dataframe=lambda d: (
        d.events.groupBy(f.window("ts", "10 minutes").alias("w"))
        .agg(f.sum("v").alias("s"))
        .select(f.col("w.start").alias("ws"), f.col("w.end").alias("we"), "s")
    ),
)
program(
    "tumble_by_key",
    lambda t: (
        t.events.window(TEN_MINUTES)
        .group_by(col("w"), col("k"))
        .select(col("k"), col("w").start, col("w").rowtime.alias("rt"), col("v").sum)
    ),
    rows=[
        ("a", at(10), at(10, 9, 59, 999000), 3),
        ("b", at(10), at(10, 9, 59, 999000), 3),
        (None, at(10), at(10, 9, 59, 999000), 7),
        ("a", at(10, 10), at(10, 19, 59, 999000), 4),
        ("b", at(10, 30), at(10, 39, 59, 999000), 5),
        ("a", at(11), at(11, 9, 59, 999000), 6),
    ],
    dataframe=lambda d: (
        d.events.groupBy(f.window("ts", "10 minutes").alias("w"), "k")
        .agg(f.sum("v").alias("s"))
        .select("k", "w.start", (f.col("w.end") - f.expr("INTERVAL '0.001' SECOND")).alias("rt"), "s")
    ),
)
program(
    "tumble_by_two_keys_of_expressions",
    lambda t: (
        t.events.window(TEN_MINUTES)
        .group_by(col("k").upper_case.alias("upper"), col("w"), col("v") % 2)
        .select(col("upper"), col("v") % 2, lit(1).count, col("w").end)
    ),
    rows=[
        ("A", 1, 1, at(10, 10)),
        ("A", 0, 1, at(10, 10)),
        ("B", 1, 1, at(10, 10)),
        (None, 1, 1, at(10, 10)),
        ("A", 0, 1, at(10, 20)),
        ("B", 1, 1, at(10, 40)),
        ("A", 0, 1, at(11, 10)),
    ],
)
program(
    "tumble_expressions_over_aggregates",
    lambda t: (
        t.events.window(Tumble.over(lit(1).hours).on(col("ts")).alias("w"))
        .group_by(col("w"))
        .select(
            (col("v").sum / col("v").count).alias("mean"),
            col("w").start.extract(TimeIntervalUnit.HOUR).alias("hour"),
            (col("v").max - col("v").min).alias("spread"),
        )
    ),
    rows=[(22 / 6, 10, 6), (6.0, 11, 0)],
)
program(
    "tumble_distinct_aggregates",
    lambda t: (
        t.events.window(Tumble.over(lit(1).days).on(col("ts")).alias("w"))
        .group_by(col("w"))
        .select(col("k").count.distinct.alias("keys"), (col("v") % 3).sum.distinct.alias("rests"))
    ),
    rows=[(2, 3)],
)
program(
    "tumble_selects_the_window",
    lambda t: (
        t.events.window(TEN_MINUTES)
        .group_by(col("W"))
        .select(col("w"), col("v").max.alias("m"))
        .filter(col("w").start >= lit("2024-01-01 10:30:00").cast(DataTypes.TIMESTAMP()))
    ),
    rows=[((at(10, 30), at(10, 40)), 5), ((at(11), at(11, 10)), 6)],
    dataframe=lambda d: (
        d.events.groupBy(f.window("ts", "10 minutes").alias("w"))
        .agg(f.max("v").alias("m"))
        .filter(f.col("w.start") >= f.lit("2024-01-01 10:30:00").cast("timestamp_ntz"))
    ),
)
program(
    "tumble_without_aggregates",
    lambda t: t.events.window(TEN_MINUTES).group_by(col("w"), col("k")).select(col("w").start.alias("ws")),
    rows=[(at(10),), (at(10),), (at(10),), (at(10, 10),), (at(10, 30),), (at(11),)],
)
program(
    "tumble_sizes_of_several_units",
    lambda t: (
        t.events.window(Tumble.over(lit(1_800_500).millis).on(col("ts")).alias("w"))
        .group_by(col("w"))
        .select(col("w").start.alias("ws"), col("v").sum.alias("s"))
    ),
    # 10:00 is 1,704,103,200 s after 1970, which is 169.5 s more than a multiple of 1,800.5 s. So windows begin at
    # 9:57:10.5, at 10:27:11 and at 10:57:11.5.
    rows=[
        (at(9, 57, 10, 500000), 17),
        (at(10, 27, 11), 5),
        (at(10, 57, 11, 500000), 6),
    ],
)
program(
    "tumble_on_instants",
    lambda t: (
        t.events.window(Tumble.over(lit(30).minutes).on(col("instant")).alias("w"))
        .group_by(col("w"))
        .select(col("w").start.alias("ws"), col("w").rowtime.alias("rt"), col("v").sum.alias("s"))
    ),
    rows=[
        (_instant(12), dt.datetime(2024, 1, 1, 12, 29, 59, 999000, dt.UTC), 17),
        (_instant(12, 30), dt.datetime(2024, 1, 1, 12, 59, 59, 999000, dt.UTC), 5),
        (_instant(13), dt.datetime(2024, 1, 1, 13, 29, 59, 999000, dt.UTC), 6),
    ],
    dataframe=lambda d: (
        d.events.groupBy(f.window("instant", "30 minutes").alias("w"))
        .agg(f.sum("v").alias("s"))
        .select(f.col("w.start").alias("ws"), (f.col("w.end") - f.expr("INTERVAL '0.001' SECOND")).alias("rt"), "s")
    ),
    no_flink="windows over a TIMESTAMP_LTZ begin at times of the session's time zone",
)
program(
    "tumble_on_days",
    lambda t: (
        t.events.window(Tumble.over(lit(7).days).on(col("day")).alias("w"))
        .group_by(col("w"))
        .select(col("w").start.alias("ws"), col("v").sum.alias("s"))
    ),
    # Weeks begin on Thursday, because 1970-01-01 was one.
    rows=[
        (dt.datetime(2023, 12, 28, tzinfo=dt.UTC), 22),
        (dt.datetime(2024, 1, 4, tzinfo=dt.UTC), 6),
    ],
    dataframe=lambda d: (
        d.events.groupBy(f.window("day", "7 days").alias("w"))
        .agg(f.sum("v").alias("s"))
        .select(f.col("w.start").alias("ws"), "s")
    ),
    no_flink="windows over a TIMESTAMP_LTZ begin at times of the session's time zone",
)
program(
    "tumble_on_an_expression",
    lambda t: (
        t.events.window(Tumble.over(lit(1).hour).on(col("day").cast(DataTypes.TIMESTAMP()) + lit(2).hours).alias("w"))
        .group_by(col("k"), col("w"))
        .select(col("k"), col("w").start.alias("ws"), col("v").sum.alias("s"))
        .filter(col("k") == "a")
    ),
    rows=[
        ("a", dt.datetime(2024, 1, 1, 2), 3),
        ("a", dt.datetime(2024, 1, 2, 2), 4),
        ("a", dt.datetime(2024, 1, 9, 2), 6),
    ],
)
program(
    "tumble_before_1970",
    lambda t: (
        t.readings.window(Tumble.over(lit(7).days).on(col("at")).alias("w"))
        .group_by(col("w"))
        .select(col("w").start.alias("ws"), col("n").sum.alias("s"))
    ),
    rows=[
        (dt.datetime(1969, 12, 25), 2),
        (dt.datetime(1999, 12, 30), 3),
        (dt.datetime(2024, 2, 29), 1),
    ],
)
program(
    "tumble_of_nothing",
    lambda t: (
        t.nothing.add_columns(col("b").cast(DataTypes.TIMESTAMP()).alias("ts"))
        .window(TEN_MINUTES)
        .group_by(col("w"))
        .select(col("w").start.alias("ws"), lit(1).count.alias("n"))
    ),
    rows=[],
)

# --- sliding ----------------------------------------------------------------------------------------------------------

program(
    "slide_by_key",
    lambda t: (
        t.events.window(SLIDING)
        .group_by(col("w"), col("k"))
        .select(col("k"), col("w").start.alias("ws"), col("w").end.alias("we"), col("v").sum.alias("s"))
    ),
    rows=[
        ("a", at(9, 55), at(10, 5), 3),
        ("a", at(10), at(10, 10), 3),
        ("a", at(10, 5), at(10, 15), 4),
        ("a", at(10, 10), at(10, 20), 4),
        ("a", at(10, 55), at(11, 5), 6),
        ("a", at(11), at(11, 10), 6),
        ("b", at(10), at(10, 10), 3),
        ("b", at(10, 5), at(10, 15), 3),
        ("b", at(10, 25), at(10, 35), 5),
        ("b", at(10, 30), at(10, 40), 5),
        (None, at(9, 55), at(10, 5), 7),
        (None, at(10), at(10, 10), 7),
    ],
    dataframe=lambda d: (
        d.events.groupBy(f.window("ts", "10 minutes", "5 minutes").alias("w"), "k")
        .agg(f.sum("v").alias("s"))
        .select("k", f.col("w.start").alias("ws"), f.col("w.end").alias("we"), "s")
    ),
)
program(
    "slide_that_does_not_divide_the_size",
    lambda t: (
        t.events.filter(col("e") == 6)
        .window(Slide.over(lit(10).minutes).every(lit(4).minutes).on(col("ts")).alias("w"))
        .group_by(col("w"))
        .select(col("w"), col("e").sum.alias("s"))
    ),
    # Windows begin at each fourth minute of the hour, because 4 minutes divide an hour.
    rows=[((at(11), at(11, 10)), 6), ((at(10, 56), at(11, 6)), 6), ((at(10, 52), at(11, 2)), 6)],
)
program(
    "slide_as_long_as_the_size",
    lambda t: (
        t.events.window(Slide.over(lit(10).minutes).every(lit(600).seconds).on(col("ts")).alias("w"))
        .group_by(col("w"))
        .select(col("w").start.alias("ws"), col("v").sum.alias("s"))
    ),
    rows=[(at(10), 13), (at(10, 10), 4), (at(10, 30), 5), (at(11), 6)],
    dataframe=lambda d: (
        d.events.groupBy(f.window("ts", "10 minutes").alias("w"))
        .agg(f.sum("v").alias("s"))
        .select(f.col("w.start").alias("ws"), "s")
    ),
)

# --- sessions ---------------------------------------------------------------------------------------------------------

program(
    "session_by_key",
    lambda t: (
        t.events.window(SESSIONS)
        .group_by(col("w"), col("k"))
        .select(col("k"), col("w").start.alias("ws"), col("w").end.alias("we"), col("v").sum.alias("s"))
    ),
    rows=[
        ("a", at(10), at(10, 10, 30), 3),
        ("a", at(10, 12, 0, 123000), at(10, 18, 0, 123000), 4),
        ("a", at(11), at(11, 6), 6),
        ("b", at(10, 5), at(10, 11), 3),
        ("b", at(10, 31), at(10, 37), 5),
        (None, at(10, 2), at(10, 8), 7),
    ],
    dataframe=lambda d: (
        d.events.groupBy(f.session_window("ts", "6 minutes").alias("w"), "k")
        .agg(f.sum("v").alias("s"))
        .select("k", f.col("w.start").alias("ws"), f.col("w.end").alias("we"), "s")
    ),
)
program(
    "session_of_all_rows",
    lambda t: t.events.window(SESSIONS).group_by(col("w")).select(col("w").rowtime.alias("rt"), col("v").sum),
    rows=[
        (at(10, 10, 59, 999000), 13),
        (at(10, 18, 0, 122000), 4),
        (at(10, 36, 59, 999000), 5),
        (at(11, 5, 59, 999000), 6),
    ],
)
program(
    "session_rows_exactly_a_gap_apart",
    lambda t: (
        t.events.filter(col("e").in_(1, 3))
        .window(Session.with_gap(lit(5).minutes).on(col("ts")).alias("w"))
        .group_by(col("w"))
        .select(col("w"), lit(1).count.alias("n"))
    ),
    rows=[((at(10), at(10, 10)), 2)],
)
program(
    "session_by_expression_on_expression",
    lambda t: (
        t.events.window(Session.with_gap(lit(1).days).on(col("day").cast(DataTypes.TIMESTAMP())).alias("w"))
        .group_by(concat("k", col("k")), col("w"))
        .select(concat("k", col("k")).alias("kk"), col("w").end.alias("we"), col("e").count.distinct.alias("n"))
    ),
    rows=[
        ("ka", dt.datetime(2024, 1, 3), 3),
        ("ka", dt.datetime(2024, 1, 10), 1),
        ("kb", dt.datetime(2024, 1, 3), 2),
        (None, dt.datetime(2024, 1, 2), 1),
    ],
)
program(
    "session_on_instants",
    lambda t: (
        t.events.window(Session.with_gap(lit(6).minutes).on(col("instant")).alias("w"))
        .group_by(col("w"))
        .select(col("w").start.alias("ws"), col("v").sum.alias("s"))
    ),
    rows=[(_instant(12), 13), (_instant(12, 12), 4), (_instant(12, 31), 5), (_instant(13), 6)],
    no_flink="windows over a TIMESTAMP_LTZ",
)

# --- windows and other operations -------------------------------------------------------------------------------------

program(
    "window_of_windows",
    lambda t: (
        t.events.window(TEN_MINUTES)
        .group_by(col("w"), col("k"))
        .select(col("w").rowtime.alias("rt"), col("k"), col("v").sum.alias("s"))
        .window(Tumble.over(lit(30).minutes).on(col("rt")).alias("w"))
        .group_by(col("w"))
        .select(col("w").start.alias("ws"), col("s").max.alias("most"), lit(1).count.alias("n"))
    ),
    rows=[(at(10), 7, 4), (at(10, 30), 5, 1), (at(11), 6, 1)],
)
program(
    "window_of_the_starts_of_windows",
    lambda t: (
        t.events.window(TEN_MINUTES)
        .group_by(col("w"))
        .select(col("w"), col("v").sum.alias("s"))
        .window(Slide.over(lit(1).hour).every(lit(30).minutes).on(col("w").start).alias("hour"))
        .group_by(col("hour"))
        .select(col("hour").start.alias("h"), col("s").sum.alias("s"))
    ),
    rows=[(at(9, 30), 17), (at(10), 22), (at(10, 30), 11), (at(11), 6)],
)
program(
    "join_of_windowed_tables",
    lambda t: _sums(t, "a", "ws_a", "s_a").join(_sums(t, "b", "ws_b", "s_b"), col("ws_a") == col("ws_b")),
    rows=[(at(10), 3, at(10), 3)],
)


def _sums(t, key, start, total):  # type: ignore[no-untyped-def]
    windows = t.events.filter(col("k") == key).window(TEN_MINUTES).group_by(col("w"))
    return windows.select(col("w").start.alias(start), col("v").sum.alias(total))


program(
    "filter_of_windows_like_having",
    lambda t: (
        t.events.window(TEN_MINUTES)
        .group_by(col("w"), col("k"))
        .select(col("k"), col("w").end.alias("we"), lit(1).count.alias("n"))
        .filter(col("n") > 1)
    ),
    rows=[("a", at(10, 10), 2)],
)
program(
    "group_of_windows_of_a_union",
    lambda t: (
        t.events.select(col("k"), col("ts"))
        .union_all(t.events.select(col("k"), col("ts")))
        .window(TEN_MINUTES)
        .group_by(col("w"), col("k"))
        .select(col("k"), lit(1).count.alias("n"))
        .group_by(col("k"))
        .select(col("k"), col("n").max.alias("most"))
    ),
    rows=[("a", 4), ("b", 2), (None, 2)],
)
program(
    "window_function_by_name",
    lambda t: t.events.group_by(call("window", col("ts"), "30 minutes", "30 minutes", "10 MINUTES").alias("w")).select(
        col("w").start.alias("ws"), col("v").sum.alias("s")
    ),
    rows=[(at(9, 40), 13), (at(10, 10), 9), (at(10, 40), 6)],
    dataframe=lambda d: (
        d.events.groupBy(f.window("ts", "30 minutes", "30 minutes", "10 minutes").alias("w"))
        .agg(f.sum("v").alias("s"))
        .select(f.col("w.start").alias("ws"), "s")
    ),
)
program(
    "window_function_without_a_name",
    lambda t: (
        t.orders.group_by(call("WINDOW", col("ordered_at"), "INTERVAL 52 weeks", "26 weeks"))
        .select(call("WINDOW", col("ordered_at"), "52 weeks", "26 weeks").start, col("amount").max)
        .filter(col("EXPR$2") > 50)
    ),
    # Half years of 182 days since 1970: the 108th begins at 19,656 days, on 2023-10-26, the one before on 2023-04-27.
    rows=[(dt.datetime(2023, 10, 26), D("99.99")), (dt.datetime(2023, 4, 27), D("99.99"))],
)

program(
    "window_in_rollup",
    lambda t: t.events.rollup(call("window", col("ts"), "1 hour").alias("w"), col("k")).select(
        col("w").start.alias("ws"), col("k"), col("v").sum.where(col("e") < 7).alias("s")
    ),
    rows=[
        (at(10), "a", 7),
        (at(10), "b", 8),
        (at(10), None, None),
        (at(10), None, 15),
        (at(11), "a", 6),
        (at(11), None, 6),
        (None, None, 21),
    ],
    no_flink="the window is the first key of every grouping set",
)
program(
    "pivot_of_windows",
    lambda t: (
        t.events.group_by(call("window", col("ts"), "1 hour").alias("w"))
        .pivot(col("k"), ["a", "b"])
        .select(col("v").sum)
        .select(col("w").end.alias("we"), col("a"), col("b"))
    ),
    rows=[(at(11), 7, 8), (at(12), 6, None)],
    no_flink="WINDOW is a table function there",
)
program(
    "window_of_aggregates_with_conditions",
    lambda t: (
        t.events.window(SLIDING)
        .group_by(col("w"))
        .select(col("w").start.alias("ws"), col("v").sum.where(col("k") == "b").alias("b"), col("e").count.alias("n"))
        .filter(col("b").is_not_null)
    ),
    rows=[(at(10), 3, 4), (at(10, 5), 3, 2), (at(10, 25), 5, 1), (at(10, 30), 5, 1)],
)

# --- names ------------------------------------------------------------------------------------------------------------

program(
    "window_alias_shadows_a_column",
    lambda t: (
        t.events.window(Tumble.over(lit(1).hour).on(col("ts")).alias("V"))
        .group_by(col("v"))
        .select(col("v").start.alias("ws"), col("v").sum.alias("s"))
    ),
    rows=[(at(10), 22), (at(11), 6)],
)
program(
    "window_names_of_flink_are_columns",
    lambda t: (
        t.events.select(
            col("ts").alias("window_time"),
            col("k").alias("WINDOW_START"),
            col("v").alias("window_end_0"),
            col("e").alias("window_end"),
        )
        .window(Tumble.over(lit(1).hour).on(col("window_time")).alias("window"))
        .group_by(col("window"), col("window_start"))
        .select(
            col("window_start"),
            col("window").end.alias("end"),
            col("window_end").sum.alias("window_end"),
            col("window_end_0").sum.alias("start"),
        )
    ),
    rows=[("a", at(11), 7, 7), ("b", at(11), 8, 8), (None, at(11), 7, 7), ("a", at(12), 6, 6)],
)
program(
    "window_hostile_names",
    lambda t: (
        t.events.select(col("ts").alias("start"), col("k").alias("a`b.c"), col("v").alias("EXPR$1"))
        .window(Session.with_gap(lit(1).hour).on(col("start")).alias("end of `w`"))
        .group_by(col("a`b.c"), col("end of `w`"))
        .select(col("end of `w`").start, col("a`b.c").alias("EXPR$0"), col("EXPR$1").sum)
    ),
    rows=[(at(10), "a", 13), (at(10, 5), "b", 8), (at(10, 2), None, 7)],
)
program(
    "tumble_aggregate",
    lambda t: (
        t.events.window(TEN_MINUTES)
        .group_by(col("k"), col("w"))
        .aggregate((col("v").sum + 1).alias("s"))
        .select(col("w").end.alias("we"), col("s"))
        .filter(col("s") > 5)
    ),
    rows=[(at(10, 10), 8), (at(10, 40), 6), (at(11, 10), 7)],
)
program(
    "window_with_names_of_what_flink_adds",
    lambda t: (
        t.events.window(TEN_MINUTES)
        .group_by(col("k"), col("w"))
        .select(
            col("k").alias("window_start"),
            col("w").alias("k"),
            col("v").sum.alias("window_end"),
            col("*").count.alias("v"),
        )
        .select(col("window_start"), col("k").get("start").alias("s"), col("window_end"), col("v"))
    ),
    rows=[
        ("a", at(10), 3, 2),
        ("b", at(10), 3, 1),
        (None, at(10), 7, 1),
        ("a", at(10, 10), 4, 1),
        ("b", at(10, 30), 5, 1),
        ("a", at(11), 6, 1),
    ],
)
program(
    "window_over_an_aggregation_with_names_of_what_flink_adds",
    lambda t: (
        t.events.group_by(col("ts"))
        .select(col("ts").alias("window_start"), col("v").sum.alias("window_time"))
        .window(Tumble.over(lit(10).minutes).on(col("window_start")).alias("w"))
        .group_by(col("w"))
        .select(col("window_time").sum.alias("s"))
    ),
    rows=[(13,), (4,), (5,), (6,)],
)
program(
    "window_that_only_the_order_names",
    lambda t: (
        t.events.window(TEN_MINUTES)
        .group_by(col("w"), col("k"))
        .select(col("w").start.alias("ws"), col("k"), col("v").sum.alias("s"))
        .order_by(col("ws"), col("k"))
        .select(col("k"), col("s"))
    ),
    rows=[(None, 7), ("a", 3), ("b", 3), ("a", 4), ("b", 5), ("a", 6)],
    ordered=True,
)
