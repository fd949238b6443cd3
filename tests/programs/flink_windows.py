"""Programs with time windows in Flink's SQL, in each of its forms of grouping."""

from __future__ import annotations

import datetime as dt

from tableapi import Dialect, Table
from tests.programs.program import program
from tests.programs.tables import DATABASE, Tables
from tests.programs.times import at

_EVENTS = f"spark_catalog.{DATABASE}.events"


def _flink(tables: Tables, text: str) -> Table:
    return tables.env.sql_query(text, dialect=Dialect.FLINK)


def _day(day: int) -> dt.date:
    return dt.date(2024, 1, day)


def _tumble(minutes: int) -> str:
    return f"TABLE(TUMBLE(TABLE {_EVENTS}, DESCRIPTOR(ts), INTERVAL '{minutes}' MINUTE))"


# --- window table functions ------------------------------------------------------------------------------------------

_HALF_HOURS = [(at(10), at(10, 30)), (at(10, 30), at(11)), (at(11), at(11, 30))]
_FIRST, _SECOND, _THIRD = _HALF_HOURS

program(
    "flink_window_in_rollup",
    lambda t: _flink(
        t,
        f"SELECT window_start, window_end, k, SUM(v) AS total, GROUPING(k) AS g FROM {_tumble(30)} "
        "GROUP BY window_start, window_end, ROLLUP(k)",
    ),
    # The window is a key of each grouping set; k is NULL in the seventh row, and in the set of all rows.
    rows=[
        (*_FIRST, "a", 7, 0),
        (*_FIRST, "b", 3, 0),
        (*_FIRST, None, 7, 0),
        (*_FIRST, None, 17, 1),
        (*_SECOND, "b", 5, 0),
        (*_SECOND, None, 5, 1),
        (*_THIRD, "a", 6, 0),
        (*_THIRD, None, 6, 1),
    ],
)
program(
    "flink_window_in_grouping_sets",
    lambda t: _flink(
        t,
        f"SELECT window_start, k, day, COUNT(*) AS n FROM {_tumble(30)} "
        "GROUP BY window_start, window_end, GROUPING SETS ((k), (day), ())",
    ),
    rows=[
        *[(at(10), k, None, n) for k, n in (("a", 3), ("b", 1), (None, 1))],
        *[(at(10), None, day, n) for day, n in ((_day(1), 4), (_day(2), 1), (None, 5))],
        *[(at(10, 30), k, day, 1) for k, day in (("b", None), (None, _day(2)), (None, None))],
        *[(at(11), k, day, 1) for k, day in (("a", None), (None, _day(9)), (None, None))],
    ],
)
program(
    "flink_window_of_another_window",
    # The time of a window can be windowed again: first windows of ten minutes, then of an hour.
    lambda t: _flink(
        t,
        "SELECT window_start, SUM(total) AS total, COUNT(*) AS n FROM TABLE(TUMBLE(("
        f"SELECT window_time AS rowtime, SUM(v) AS total FROM {_tumble(10)} "
        "GROUP BY window_start, window_end, window_time), DESCRIPTOR(rowtime), INTERVAL '1' HOUR)) "
        "GROUP BY window_start, window_end",
    ),
    # The ten-minute windows from 10:00, 10:10 and 10:30 are in the first hour, the window from 11:00 is in the second.
    rows=[(at(10), 22, 3), (at(11), 6, 1)],
)

# --- sessions --------------------------------------------------------------------------------------------------------

program(
    "flink_sessions_of_all_rows_by_key",
    # Without PARTITION BY, a session spans all rows, even if they are then counted by a key.
    lambda t: _flink(
        t,
        "SELECT window_start, window_end, k, COUNT(*) AS n "
        f"FROM TABLE(SESSION(TABLE {_EVENTS}, DESCRIPTOR(ts), INTERVAL '7' MINUTE)) "
        "GROUP BY window_start, window_end, k",
    ),
    rows=[
        (at(10), at(10, 12), "a", 2),
        (at(10), at(10, 12), "b", 1),
        (at(10), at(10, 12), None, 1),
        (at(10, 12, 0, 123000), at(10, 19, 0, 123000), "a", 1),
        (at(10, 31), at(10, 38), "b", 1),
        (at(11), at(11, 7), "a", 1),
    ],
)
program(
    "flink_sessions_by_key_without_it",
    # Each session belongs to one key, even if sessions of several keys with equal bounds are counted together.
    lambda t: _flink(
        t,
        "SELECT window_start, window_end, COUNT(*) AS n "
        f"FROM TABLE(SESSION(TABLE {_EVENTS} PARTITION BY k, DESCRIPTOR(ts), INTERVAL '6' MINUTE)) "
        "GROUP BY window_start, window_end",
    ),
    rows=[
        (at(10), at(10, 10, 30), 2),
        (at(10, 12, 0, 123000), at(10, 18, 0, 123000), 1),
        (at(11), at(11, 6), 1),
        (at(10, 5), at(10, 11), 1),
        (at(10, 31), at(10, 37), 1),
        (at(10, 2), at(10, 8), 1),
    ],
)
program(
    "flink_sessions_by_key",
    lambda t: _flink(
        t,
        "SELECT window_start, window_end, window_time, k, COUNT(*) AS n "
        f"FROM TABLE(SESSION(DATA => TABLE {_EVENTS} PARTITION BY (k), TIMECOL => DESCRIPTOR(ts), "
        "GAP => INTERVAL '6' MINUTE)) GROUP BY window_start, window_end, window_time, k HAVING COUNT(*) > 1",
    ),
    rows=[(at(10), at(10, 10, 30), at(10, 10, 29, 999000), "a", 2)],
)
program(
    "flink_sessions_in_grouping_sets",
    lambda t: _flink(
        t,
        "SELECT window_start, k, COUNT(*) AS n "
        f"FROM TABLE(SESSION(TABLE {_EVENTS} PARTITION BY k, DESCRIPTOR(ts), INTERVAL '6' MINUTE)) "
        "WHERE v < 4 GROUP BY window_start, window_end, GROUPING SETS ((k), ())",
    ),
    rows=[(at(10), "a", 2), (at(10), None, 2), (at(10, 5), "b", 1), (at(10, 5), None, 1)],
)

# --- group window functions ------------------------------------------------------------------------------------------

program(
    "flink_tumble_in_group_by",
    lambda t: _flink(
        t,
        "SELECT TUMBLE_START(ts, INTERVAL '30' MINUTE) AS s, TUMBLE_END(ts, INTERVAL '30' MINUTE) AS e, "
        "TUMBLE_ROWTIME(ts, INTERVAL '30' MINUTE) AS r, k, SUM(v) AS total "
        f"FROM {_EVENTS} GROUP BY TUMBLE(ts, INTERVAL '30' MINUTE), k",
    ),
    rows=[
        (*_FIRST, at(10, 29, 59, 999000), "a", 7),
        (*_FIRST, at(10, 29, 59, 999000), "b", 3),
        (*_FIRST, at(10, 29, 59, 999000), None, 7),
        (*_SECOND, at(10, 59, 59, 999000), "b", 5),
        (*_THIRD, at(11, 29, 59, 999000), "a", 6),
    ],
)
program(
    "flink_hop_in_group_by",
    # The slide stands before the size.
    lambda t: _flink(
        t,
        "SELECT HOP_START(ts, INTERVAL '30' MINUTE, INTERVAL '1' HOUR) AS s, SUM(v) AS total "
        f"FROM {_EVENTS} GROUP BY HOP(ts, INTERVAL '30' MINUTE, INTERVAL '1' HOUR)",
    ),
    rows=[(at(9, 30), 17), (at(10), 22), (at(10, 30), 11), (at(11), 6)],
)
program(
    "flink_session_in_group_by",
    # Such a session belongs to one combination of the other keys.
    lambda t: _flink(
        t,
        "SELECT SESSION_START(ts, INTERVAL '6' MINUTE) AS s, SESSION_END(ts, INTERVAL '6' MINUTE) AS e, k, "
        f"COUNT(*) AS n FROM {_EVENTS} GROUP BY k, SESSION(ts, INTERVAL '6' MINUTE) HAVING COUNT(*) > 1",
    ),
    rows=[(at(10), at(10, 10, 30), "a", 2)],
)
