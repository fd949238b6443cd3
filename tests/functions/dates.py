"""Time functions that are lowered or written as EXTRACT; derived by hand unless marked as Flink's own values."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal as D
from typing import Any

_day, _at, _time = dt.date, dt.datetime, dt.time

NULL_DATE = "CAST(NULL AS DATE)"
NULL_TIMESTAMP = "CAST(NULL AS TIMESTAMP_NTZ)"
# A Wednesday.
NOON = "TIMESTAMP_NTZ '2024-05-15 13:45:59.123456'"

# FLOOR and CEIL of NOON. Flink 2.3 returns the same, except for CEIL to MILLISECOND, where it ignores the last digits.
_UNITS: dict[str, tuple[dt.datetime, dt.datetime]] = {
    "MILLENNIUM": (_at(2001, 1, 1), _at(3001, 1, 1)),
    "CENTURY": (_at(2001, 1, 1), _at(2101, 1, 1)),
    "DECADE": (_at(2020, 1, 1), _at(2030, 1, 1)),
    "YEAR": (_at(2024, 1, 1), _at(2025, 1, 1)),
    "QUARTER": (_at(2024, 4, 1), _at(2024, 7, 1)),
    "MONTH": (_at(2024, 5, 1), _at(2024, 6, 1)),
    "WEEK": (_at(2024, 5, 12), _at(2024, 5, 19)),
    "DAY": (_at(2024, 5, 15), _at(2024, 5, 16)),
    "HOUR": (_at(2024, 5, 15, 13), _at(2024, 5, 15, 14)),
    "MINUTE": (_at(2024, 5, 15, 13, 45), _at(2024, 5, 15, 13, 46)),
    "SECOND": (_at(2024, 5, 15, 13, 45, 59), _at(2024, 5, 15, 13, 46)),
    "MILLISECOND": (_at(2024, 5, 15, 13, 45, 59, 123000), _at(2024, 5, 15, 13, 45, 59, 124000)),
}


def _of(time: str, floor: Any, ceil: Any, unit: str) -> list[tuple[str, Any]]:
    return [(f"FLOOR({time} TO {unit})", floor), (f"CEIL({time} TO {unit})", ceil)]


CASES: list[tuple[str, Any]] = [
    # The start and end of units, for a timestamp without time zone and for an instant; the session is in UTC.
    *[case for unit, (floor, ceil) in _UNITS.items() for case in _of(NOON, floor, ceil, unit)],
    *[
        case
        for unit, (floor, ceil) in _UNITS.items()
        for case in _of("TIMESTAMP_LTZ '2024-05-15 13:45:59.123456Z'", floor, ceil, unit)
    ],
    # Dates; also Flink's own values.
    *_of("DATE '2024-05-15'", _day(2024, 1, 1), _day(2025, 1, 1), "YEAR"),
    *_of("DATE '2024-05-15'", _day(2024, 4, 1), _day(2024, 7, 1), "QUARTER"),
    *_of("DATE '2024-05-15'", _day(2024, 5, 1), _day(2024, 6, 1), "MONTH"),
    *_of("DATE '2024-05-15'", _day(2024, 5, 12), _day(2024, 5, 19), "WEEK"),
    *_of("DATE '2024-05-15'", _day(2024, 5, 15), _day(2024, 5, 15), "DAY"),
    *_of("DATE '2024-05-15'", _day(2024, 5, 15), _day(2024, 5, 15), "HOUR"),
    # The start of a unit is its FLOOR and its CEIL, including leap days and Sundays.
    *_of("DATE '2024-05-12'", _day(2024, 5, 12), _day(2024, 5, 12), "WEEK"),
    *_of("DATE '2024-05-01'", _day(2024, 5, 1), _day(2024, 5, 1), "MONTH"),
    *_of("DATE '2024-02-29'", _day(2024, 2, 1), _day(2024, 3, 1), "MONTH"),
    *_of("DATE '2024-12-31'", _day(2024, 10, 1), _day(2025, 1, 1), "QUARTER"),
    *_of("TIMESTAMP_NTZ '2024-05-01 00:00:00'", _at(2024, 5, 1), _at(2024, 5, 1), "MONTH"),
    *_of("TIMESTAMP_NTZ '2024-05-01 00:00:00.000001'", _at(2024, 5, 1), _at(2024, 6, 1), "MONTH"),
    *_of("TIMESTAMP_NTZ '2024-05-12 00:00:00'", _at(2024, 5, 12), _at(2024, 5, 12), "WEEK"),
    *_of("TIMESTAMP_LTZ '2024-05-12 00:00:00Z'", _at(2024, 5, 12), _at(2024, 5, 12), "WEEK"),
    *_of("TIMESTAMP_LTZ '2024-05-11 23:59:59.999999Z'", _at(2024, 5, 5), _at(2024, 5, 12), "WEEK"),
    # Before 1970 and before 1582; also Flink's own values.
    *_of("TIMESTAMP_NTZ '1969-12-31 23:45:59.123456'", _at(1969, 12, 31, 23), _at(1970, 1, 1), "HOUR"),
    *_of("TIMESTAMP_NTZ '1500-03-15 23:45:59.123456'", _at(1500, 3, 1), _at(1500, 4, 1), "MONTH"),
    *_of("DATE '1500-03-15'", _day(1500, 1, 1), _day(1501, 1, 1), "YEAR"),
    *_of("DATE '1969-05-15'", _day(1969, 5, 11), _day(1969, 5, 18), "WEEK"),
    *_of("TIMESTAMP_NTZ '0001-01-01 00:00:00'", _at(1, 1, 1), _at(1, 1, 1), "YEAR"),
    *_of(NULL_DATE, None, None, "MONTH"),
    *_of(NULL_TIMESTAMP, None, None, "WEEK"),
    *_of("CAST(NULL AS TIMESTAMP_LTZ)", None, None, "WEEK"),
    # Flink's own values: a century begins in 2001 and a decade in 2000; CEIL of a start is the next one.
    *_of("DATE '2001-01-01'", _day(2000, 1, 1), _day(2010, 1, 1), "DECADE"),
    *_of("DATE '2000-12-31'", _day(1901, 1, 1), _day(2001, 1, 1), "CENTURY"),
    *_of("DATE '1900-12-31'", _day(1801, 1, 1), _day(1901, 1, 1), "CENTURY"),
    *_of("DATE '2000-12-31'", _day(1001, 1, 1), _day(2001, 1, 1), "MILLENNIUM"),
    *_of("DATE '0099-01-01'", _day(90, 1, 1), _day(100, 1, 1), "DECADE"),
    *_of("DATE '0099-01-01'", _day(1, 1, 1), _day(1001, 1, 1), "MILLENNIUM"),
    *_of("TIMESTAMP_NTZ '2010-01-01 00:00:00'", _at(2010, 1, 1), _at(2020, 1, 1), "DECADE"),
    *_of("TIMESTAMP_NTZ '2001-01-01 00:00:00'", _at(2001, 1, 1), _at(2101, 1, 1), "CENTURY"),
    *_of("TIMESTAMP_NTZ '2000-12-31 12:00:00'", _at(1901, 1, 1), _at(2001, 1, 1), "CENTURY"),
    *_of("TIMESTAMP_NTZ '2001-01-01 00:00:00.001'", _at(2001, 1, 1), _at(3001, 1, 1), "MILLENNIUM"),
    *_of(NULL_DATE, None, None, "CENTURY"),
    *_of(NULL_TIMESTAMP, None, None, "DECADE"),
    *_of("CAST(NULL AS TIMESTAMP_LTZ)", None, None, "MILLENNIUM"),
    # Times of day; also in Flink.
    ("FLOOR(TIME '23:45:59.123' TO HOUR)", _time(23)),
    ("FLOOR(TIME '23:45:59.123' TO MILLISECOND)", _time(23, 45, 59, 123000)),
    ("FLOOR(CAST(NULL AS TIME) TO HOUR)", None),
    # Periods; also Flink's own values, except for times of day that pass midnight, where Spark's addition fails.
    ("(DATE '2024-01-01', DATE '2024-02-01') OVERLAPS (DATE '2024-02-01', DATE '2024-03-01')", True),
    ("(DATE '2024-02-01', DATE '2024-01-01') OVERLAPS (DATE '2024-01-15', INTERVAL '1' DAY)", True),
    ("(DATE '2024-01-01', DATE '2024-01-02') OVERLAPS (DATE '2024-01-03', DATE '2024-01-04')", False),
    ("(DATE '2024-01-03', DATE '2024-01-04') OVERLAPS (DATE '2024-01-01', DATE '2024-01-02')", False),
    ("(TIME '02:55:00', INTERVAL '1' HOUR) OVERLAPS (TIME '03:30:00', INTERVAL '2' HOUR)", True),
    ("(TIME '09:00:00', TIME '10:00:00') OVERLAPS (TIME '10:15:00', INTERVAL '3' HOUR)", False),
    ("(DATE '2024-02-29', INTERVAL '-1' DAY) OVERLAPS (DATE '2024-02-28', DATE '2024-02-28')", True),
    (f"({NOON}, {NULL_TIMESTAMP}) OVERLAPS (TIMESTAMP_NTZ '2025-01-01 00:00:00', INTERVAL '0' DAY)", False),
    (f"({NOON}, {NULL_TIMESTAMP}) OVERLAPS (TIMESTAMP_NTZ '2023-01-01 00:00:00', INTERVAL '0' DAY)", None),
    (f"({NULL_DATE}, {NULL_DATE}) OVERLAPS (DATE '2024-01-01', DATE '2024-01-02')", None),
    ("NOT ((DATE '2024-01-01', INTERVAL '1' DAY) OVERLAPS (DATE '2024-01-03', INTERVAL '1' DAY))", True),
    # Flink's own values.
    ("CONVERT_TZ('1970-01-01 00:00:00', 'UTC', 'America/Los_Angeles')", "1969-12-31 16:00:00"),
    ("CONVERT_TZ('2024-03-10 02:30:00', 'America/New_York', 'UTC')", "2024-03-10 07:30:00"),
    ("CONVERT_TZ('bad', 'UTC', 'GMT')", None),
    ("CONVERT_TZ('2024-01-01 10:00:00.5', 'UTC', 'GMT')", "2024-01-01 10:00:00"),
    ("CONVERT_TZ(CAST(NULL AS STRING), 'UTC', 'GMT')", None),
    # EXTRACT under its other names.
    ("YEAR(DATE '2024-12-30')", 2024),
    ("EXTRACT(YEAROFWEEK FROM DATE '2024-12-30')", 2025),
    ("WEEKOFYEAR(DATE '2024-12-30')", 1),
    ("DAYOFWEEK(DATE '2024-12-29')", 1),
    ("EXTRACT(DOW_ISO FROM DATE '2024-12-29')", 7),
    ("DATE_PART('dayofweek_iso', DATE '2024-12-30')", 1),
    ("DAYOFYEAR(DATE '2024-12-31')", 366),
    ("DAY('2024-02-29')", 29),
    (f"QUARTER({NULL_DATE})", None),
    ("YEAR(DATE '1500-02-28')", 1500),
    ("HOUR(TIME '23:59:59')", 23),
    ("MINUTE(TIMESTAMP_NTZ '1969-12-31 23:59:59.5')", 59),
    ("SECOND(TIMESTAMP_NTZ '1969-12-31 23:59:58.5')", 58),
    ("EXTRACT('secs', TIMESTAMP_NTZ '2024-01-01 00:00:01.25')", D("1.250000")),
    # In units, and in days.
    ("TIMESTAMPADD(MONTH, 1, TIMESTAMP_NTZ '2024-01-31 10:00:00')", _at(2024, 2, 29, 10)),
    ("DATEADD(QUARTER, -1, TIMESTAMP_NTZ '2024-05-31 10:00:00')", _at(2024, 2, 29, 10)),
    ("DATE_ADD(DAYOFYEAR, 1, TIMESTAMP_NTZ '2024-02-28 00:00:00')", _at(2024, 2, 29)),
    ("TIMESTAMPADD(MICROSECOND, -1, TIMESTAMP_NTZ '1970-01-01 00:00:00')", _at(1969, 12, 31, 23, 59, 59, 999999)),
    ("TIMESTAMPADD(DAY, CAST(NULL AS INT), TIMESTAMP_NTZ '2024-01-01 00:00:00')", None),
    ("TIMESTAMPDIFF(MONTH, DATE '2024-01-31', DATE '2024-02-29')", 0),
    ("DATEDIFF(MONTH, DATE '2024-02-29', DATE '2024-01-31')", 0),
    ("DATE_DIFF(DAY, DATE '2024-02-28', DATE '2024-03-01')", 2),
    ("TIMESTAMPDIFF(DAY, TIMESTAMP_NTZ '2024-02-29 00:00:01', TIMESTAMP_NTZ '2024-02-28 00:00:02')", 0),
    ("TIMESTAMPDIFF(WEEK, DATE '2024-02-29', DATE '2024-02-15')", -2),
    ("DATE_ADD(DATE '2023-02-28', 1)", _day(2023, 3, 1)),
    ("DATE_SUB(DATE '1970-01-01', 1)", _day(1969, 12, 31)),
    ("ADD_MONTHS(DATE '2024-02-29', 12)", _day(2025, 2, 28)),
    ("LAST_DAY(DATE '1900-02-01')", _day(1900, 2, 28)),
    ("LAST_DAY(DATE '1500-02-01')", _day(1500, 2, 28)),
    ("NEXT_DAY(DATE '2024-02-28', 'THU')", _day(2024, 2, 29)),
    ("TRUNC(DATE '2024-05-15', 'week')", _day(2024, 5, 13)),
    ("TRUNC(DATE '2024-05-15', 'fortnight')", None),
    ("TIME_BUCKET(INTERVAL '2' HOUR, TIMESTAMP_NTZ '1969-12-31 23:30:00')", _at(1969, 12, 31, 22)),
    ("MAKE_DATE(2024, 2, 29)", _day(2024, 2, 29)),
    ("TRY_MAKE_TIMESTAMP_NTZ(2023, 2, 29, 0, 0, 0)", None),
    ("MAKE_TIMESTAMP_NTZ(2019, 6, 30, 23, 59, 60)", _at(2019, 7, 1)),
    ("TRY_TO_DATE('2023-02-29')", None),
    ("TO_DATE('29.2.24', 'd.M.yy')", _day(2024, 2, 29)),
    ("MONTHS_BETWEEN(DATE '2024-03-31', DATE '2024-02-29')", 1.0),
    ("UNIX_DATE(DATE '1969-12-31')", -1),
    ("UNIX_SECONDS(TIMESTAMP_NTZ '1969-12-31 23:59:59.5')", -1),
    # Around a clock change, a leap day and the epoch; invalid times; time zones that are offsets or NULL.
    ("CONVERT_TZ('2024-11-03 01:30:00', 'America/New_York', 'UTC')", "2024-11-03 05:30:00"),
    ("CONVERT_TZ('2024-02-29 23:30:00', 'UTC', 'Asia/Kolkata')", "2024-03-01 05:00:00"),
    ("CONVERT_TZ('2023-02-29 00:00:00', 'UTC', 'GMT')", None),
    ("CONVERT_TZ('2024-01-01 00:00:00', '+02:00', '-03:30')", "2023-12-31 18:30:00"),
    ("CONVERT_TZ('2024-01-01 00:00:00', CAST(NULL AS STRING), 'UTC')", None),
    ("CONVERT_TZ('2024-01-01 00:00:00', 'UTC', CAST(NULL AS STRING))", None),
    ("CONVERT_TZ('', 'UTC', 'GMT')", None),
    (
        "SLIDING_WINDOWS(TIMESTAMP_NTZ '1969-12-31 23:59:59', '10 minutes', '5 minutes')",
        [(_at(1969, 12, 31, 23, 50), _at(1970, 1, 1)), (_at(1969, 12, 31, 23, 55), _at(1970, 1, 1, 0, 5))],
    ),
    (
        "CUMULATIVE_WINDOWS(TIMESTAMP_NTZ '1969-12-31 23:54:59', '5 minutes', '10 minutes')",
        [(_at(1969, 12, 31, 23, 50), _at(1969, 12, 31, 23, 55)), (_at(1969, 12, 31, 23, 50), _at(1970, 1, 1))],
    ),
    (f"SLIDING_WINDOWS({NULL_TIMESTAMP}, '10 minutes', '5 minutes')", None),
    (f"CUMULATIVE_WINDOWS({NULL_TIMESTAMP}, '5 minutes', '10 minutes')", None),
    # For dates, which then are timestamps.
    ("CARDINALITY(SLIDING_WINDOWS(DATE '2024-02-29', '2 days', '1 day'))", 2),
    ("CARDINALITY(CUMULATIVE_WINDOWS(DATE '2024-02-28', '1 day', '2 days'))", 1),
    ("CARDINALITY(CUMULATIVE_WINDOWS(DATE '2024-02-29', '1 day', '2 days'))", 2),
    (
        "SIZE(FILTER(SLIDING_WINDOWS(DATE '2024-02-29', '1 day', '1 day'), "
        "w -> w.start = TIMESTAMP_LTZ '2024-02-29 00:00:00Z' AND w.end = TIMESTAMP_LTZ '2024-03-01 00:00:00Z'))",
        1,
    ),
]
FAILURES: list[tuple[str, str]] = [
    ("CONVERT_TZ('2024-01-01 00:00:00', 'UTC', 'Nowhere')", "INVALID_TIMEZONE"),
    ("MAKE_DATE(2023, 2, 29)", "DATETIME_FIELD_OUT_OF_BOUNDS.WITHOUT_SUGGESTION"),
    ("(TIME '23:30:00', INTERVAL '1' HOUR) OVERLAPS (TIME '10:00:00', TIME '11:00:00')", "DATETIME_OVERFLOW"),
]
