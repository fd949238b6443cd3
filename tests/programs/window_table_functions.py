"""Programs with window table functions: rows with the bounds of their windows, in Python and in SQL."""

from __future__ import annotations

import datetime as dt

from tableapi import DataTypes
from tableapi.expressions import col, descriptor, explode, lit, sliding_windows
from tests.programs.program import program
from tests.programs.tables import DATABASE
from tests.programs.times import at

TIME = descriptor("ts").as_argument("TIMECOL")
EVENTS = f"spark_catalog.{DATABASE}.events"


def _day(day):  # type: ignore[no-untyped-def]
    return dt.datetime(2024, 1, day, tzinfo=dt.UTC)


def _last(end):  # type: ignore[no-untyped-def]
    return end - dt.timedelta(milliseconds=1)


def _window(v, start, end):  # type: ignore[no-untyped-def]
    return (v, start, end, _last(end))


# --- tumbling ---------------------------------------------------------------------------------------------------------

program(
    "tumble_rows",
    lambda t: t.env.from_call(
        "TUMBLE", t.events.select(col("v"), col("ts")).as_argument("DATA"), TIME, lit(10).minutes.as_argument("SIZE")
    ),
    # The row without a time is in no window.
    rows=[
        (v, ts, start, end, _last(end))
        for v, ts, start, end in [
            (1, at(10), at(10), at(10, 10)),
            (2, at(10, 4, 30), at(10), at(10, 10)),
            (3, at(10, 5), at(10), at(10, 10)),
            (4, at(10, 12, 0, 123000), at(10, 10), at(10, 20)),
            (5, at(10, 31), at(10, 30), at(10, 40)),
            (6, at(11), at(11), at(11, 10)),
            (7, at(10, 2), at(10), at(10, 10)),
        ]
    ],
)
program(
    "tumble_rows_in_sql",
    lambda t: t.env.sql_query(
        "SELECT v, window_start, window_end, window_time FROM TUMBLE(DATA => TABLE "
        f"{EVENTS}, TIMECOL => DESCRIPTOR(ts), SIZE => INTERVAL '1' HOUR, OFFSET => INTERVAL '2' MINUTE) WHERE v < 7"
    ),
    rows=[
        _window(1, at(9, 2), at(10, 2)),
        *[_window(v, at(10, 2), at(11, 2)) for v in (2, 3, 4, 5, 6)],
    ],
)
program(
    "tumble_rows_grouped_by_one_bound",
    lambda t: (
        t.events.process("tumble", descriptor("ts"), lit(30).minutes)
        .group_by(col("window_end"))
        .select(col("window_end"), col("v").sum.alias("s"))
    ),
    rows=[(at(10, 30), 17), (at(11), 5), (at(11, 30), 6)],
)
program(
    "tumble_rows_of_instants",
    lambda t: t.events.process("TUMBLE", descriptor("instant"), lit(1).days, lit(-6).hours).select(
        col("v"), col("window_start"), col("window_time")
    ),
    rows=[
        (
            v,
            _day(1) - dt.timedelta(hours=6),
            _day(1) + dt.timedelta(hours=18) - dt.timedelta(milliseconds=1),
        )
        for v in range(1, 8)
    ],
    no_flink="windows over a TIMESTAMP_LTZ begin at times of the session's time zone",
)
program(
    "tumble_rows_before_the_epoch",
    lambda t: t.env.from_elements(
        [(1, dt.datetime(1969, 12, 31, 23, 59, 59, 999999)), (2, dt.datetime(1969, 12, 31, 23, 50)), (3, None)],
        ["v", "ts"],
    ).process("TUMBLE", TIME, lit(10).minutes.as_argument("SIZE")),
    rows=[
        (
            v,
            ts,
            dt.datetime(1969, 12, 31, 23, 50),
            dt.datetime(1970, 1, 1),
            dt.datetime(1969, 12, 31, 23, 59, 59, 999000),
        )
        for v, ts in [(1, dt.datetime(1969, 12, 31, 23, 59, 59, 999999)), (2, dt.datetime(1969, 12, 31, 23, 50))]
    ],
)
program(
    "tumble_rows_with_names_of_its_own",
    lambda t: t.events.select(
        col("v").alias("window_start"), col("e").alias("Window_End"), col("k").alias("window"), col("ts").alias("a`b")
    ).process("TUMBLE", descriptor("a`b"), lit(1).days),
    rows=[
        (v, v, k, ts, dt.datetime(2024, 1, 1), dt.datetime(2024, 1, 2), _last(dt.datetime(2024, 1, 2)))
        for v, k, ts in [
            (1, "a", at(10)),
            (2, "a", at(10, 4, 30)),
            (3, "b", at(10, 5)),
            (4, "a", at(10, 12, 0, 123000)),
            (5, "b", at(10, 31)),
            (6, "a", at(11)),
            (7, None, at(10, 2)),
        ]
    ],
)
program(
    "tumble_rows_twice",
    lambda t: (
        t.events.select(col("v"), col("ts"))
        .process("TUMBLE", descriptor("ts"), lit(10).minutes)
        .process("TUMBLE", descriptor("window_time"), lit(1).hours)
        .filter(col("v") > 4)
        .drop_columns(col("ts"), col("window_time"))
    ),
    rows=[
        (5, at(10, 30), at(10, 40), at(10), at(11), _last(at(11))),
        (6, at(11), at(11, 10), at(11), at(12), _last(at(12))),
        (7, at(10), at(10, 10), at(10), at(11), _last(at(11))),
    ],
)
program(
    "windows_joined",
    lambda t: t.env.sql_query(
        f"SELECT a.v, b.v AS w, a.window_start FROM TUMBLE(TABLE {EVENTS}, DESCRIPTOR(ts), INTERVAL '10' MINUTE) AS a "
        f"JOIN TUMBLE(TABLE {EVENTS}, DESCRIPTOR(ts), INTERVAL '10' MINUTE) AS b "
        "ON a.window_start = b.window_start AND a.window_end = b.window_end AND a.v < b.v"
    ),
    rows=[(v, w, at(10)) for v, w in [(1, 2), (1, 3), (1, 7), (2, 3), (2, 7), (3, 7)]],
)

# --- hopping ----------------------------------------------------------------------------------------------------------

program(
    "hop_rows",
    lambda t: t.env.from_call(
        "HOP",
        t.events.filter(col("v").in_(2, 3, 4)).as_argument("DATA"),
        TIME,
        lit(5).minutes.as_argument("SLIDE"),
        lit(10).minutes.as_argument("SIZE"),
    ).select(col("v"), col("window_start"), col("window_end"), col("window_time")),
    rows=[
        _window(2, at(9, 55), at(10, 5)),
        _window(2, at(10), at(10, 10)),
        _window(3, at(10), at(10, 10)),
        _window(3, at(10, 5), at(10, 15)),
        _window(4, at(10, 5), at(10, 15)),
        _window(4, at(10, 10), at(10, 20)),
    ],
)
program(
    "hop_rows_of_no_whole_number_of_slides",
    lambda t: t.env.sql_query(
        f"SELECT v, window_start, window_end, window_time FROM HOP(TABLE {EVENTS}, DESCRIPTOR(ts), "
        "INTERVAL '4' MINUTE, INTERVAL '10' MINUTE, INTERVAL '1' MINUTE) WHERE v = 1 OR v = 3"
    ),
    # Windows begin at 9:49, 9:53, 9:57, 10:01 and 10:05.
    rows=[
        _window(1, at(9, 53), at(10, 3)),
        _window(1, at(9, 57), at(10, 7)),
        _window(3, at(9, 57), at(10, 7)),
        _window(3, at(10, 1), at(10, 11)),
        _window(3, at(10, 5), at(10, 15)),
    ],
)
program(
    "hop_rows_of_instants",
    lambda t: (
        t.events.filter(col("v") == 4)
        .process("HOP", descriptor("instant"), lit(8).hours, lit(20).hours, lit(1).hours)
        .select(col("window_start"), col("window_end"))
    ),
    # The instant is 12:12. Windows begin at 17:00 on the day before, 1:00 and 9:00; the first one ends at 13:00.
    rows=[
        (_day(1) - dt.timedelta(hours=7), _day(1) + dt.timedelta(hours=13)),
        (_day(1) + dt.timedelta(hours=1), _day(1) + dt.timedelta(hours=21)),
        (_day(1) + dt.timedelta(hours=9), _day(1) + dt.timedelta(hours=29)),
    ],
    no_flink="windows over a TIMESTAMP_LTZ begin at times of the session's time zone",
)
program(
    "rows_with_sliding_windows",
    lambda t: (
        t.events.join_lateral(explode(sliding_windows(col("ts"), "1 hour", "30 minutes")).alias("w"))
        .filter(col("v") > 5)
        .select(col("v"), col("w").start.alias("ws"), col("w").end.alias("we"))
    ),
    rows=[
        (6, at(10, 30), at(11, 30)),
        (6, at(11), at(12)),
        (7, at(9, 30), at(10, 30)),
        (7, at(10), at(11)),
    ],
)
program(
    "hop_rows_of_nothing",
    lambda t: (
        t.nothing.add_columns(col("b").cast(DataTypes.TIMESTAMP()).alias("ts"))
        .process("HOP", descriptor("ts"), lit(1).hours, lit(2).hours)
        .select(col("a"), col("window_end"))
    ),
    rows=[],
)

# --- cumulative -------------------------------------------------------------------------------------------------------

program(
    "cumulate_rows",
    lambda t: t.env.from_call(
        "CUMULATE",
        t.events.filter(col("v").in_(2, 3)).as_argument("DATA"),
        TIME,
        STEP=lit(5).minutes,
        SIZE=lit(10).minutes,
    ).select(col("v"), col("window_start"), col("window_end"), col("window_time")),
    rows=[
        _window(2, at(10), at(10, 5)),
        _window(2, at(10), at(10, 10)),
        _window(3, at(10), at(10, 10)),
    ],
)

# --- sessions ---------------------------------------------------------------------------------------------------------

_SESSIONS = [
    ("a", *_window(1, at(10), at(10, 10, 30))),
    ("a", *_window(2, at(10), at(10, 10, 30))),
    ("a", *_window(4, at(10, 12, 0, 123000), at(10, 18, 0, 123000))),
    ("a", *_window(6, at(11), at(11, 6))),
    ("b", *_window(3, at(10, 5), at(10, 11))),
    ("b", *_window(5, at(10, 31), at(10, 37))),
    (None, *_window(7, at(10, 2), at(10, 8))),
]
_OWN = (col("k"), col("v"), col("window_start"), col("window_end"), col("window_time"))
program(
    "session_rows_by_key",
    lambda t: t.events.partition_by(col("k")).process("SESSION", descriptor("ts"), lit(6).minutes).select(*_OWN),
    rows=_SESSIONS,
)
program(
    "session_rows_in_sql",
    lambda t: t.env.sql_query(
        "SELECT k, v, window_start, window_end, window_time FROM "
        f"SESSION(TABLE {EVENTS} PARTITION BY k, DESCRIPTOR(ts), INTERVAL '6' MINUTE)"
    ),
    rows=_SESSIONS,
)
program(
    "session_rows_of_all",
    lambda t: (
        t.events.select(col("v"), col("ts").alias("session_0"))
        .process("SESSION", TIMECOL=descriptor("session_0"), GAP=lit(7).minutes)
        .select(col("v"), col("window_start"), col("window_end"), col("window_time"))
    ),
    # 10:00, 10:02, 10:04:30 and 10:05 are close together; 10:12:00.123 is more than 7 minutes later.
    rows=[
        *[_window(v, at(10), at(10, 12)) for v in (1, 7, 2, 3)],
        _window(4, at(10, 12, 0, 123000), at(10, 19, 0, 123000)),
        _window(5, at(10, 31), at(10, 38)),
        _window(6, at(11), at(11, 7)),
    ],
)
program(
    "rows_of_a_session_exactly_a_gap_apart",
    lambda t: (
        t.events.filter(col("e").in_(1, 3))
        .process("SESSION", descriptor("ts"), lit(5).minutes)
        .select(col("v"), col("window_start"), col("window_end"), col("window_time"))
    ),
    rows=[_window(1, at(10), at(10, 10)), _window(3, at(10), at(10, 10))],
)
program(
    "session_rows_of_instants_by_an_expression",
    lambda t: (
        t.events.filter(col("v") < 4)
        .partition_by(col("v") % 2)
        .process("SESSION", descriptor("instant"), lit(2).days)
        .select(col("v"), col("window_end"))
    ),
    rows=[
        (1, _day(3) + dt.timedelta(hours=12, minutes=5)),
        (2, _day(3) + dt.timedelta(hours=12, minutes=4, seconds=30)),
        (3, _day(3) + dt.timedelta(hours=12, minutes=5)),
    ],
    no_flink="unix_micros",
)
