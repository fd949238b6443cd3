"""Time functions around clock changes, in a time zone with clock changes and in one without.

In New York, 2024-03-10 has no 02:30 and 2024-11-03 has two 01:30; Kolkata has one of each, with an offset of a half
hour.
"""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from pyspark.sql import SparkSession

from tests.programs.tables import environment_without_spark

ENVIRONMENT = environment_without_spark()
NEW_YORK, KOLKATA = "America/New_York", "Asia/Kolkata"
ZONES = (NEW_YORK, KOLKATA)
_at = dt.datetime
GAP = "TIMESTAMP_NTZ '2024-03-10 02:30:00'"


def _is(expression: str, instant: str) -> str:
    return f"({expression}) = TIMESTAMP_LTZ '{instant}'"


# Expressions, and their values in each of the time zones.
CASES: list[tuple[str, Any, Any]] = [
    # A timestamp without time zone has no gaps.
    (f"FLOOR({GAP} TO HOUR)", _at(2024, 3, 10, 2), _at(2024, 3, 10, 2)),
    (f"CEIL({GAP} TO HOUR)", _at(2024, 3, 10, 3), _at(2024, 3, 10, 3)),
    (f"FLOOR({GAP} TO DAY)", _at(2024, 3, 10), _at(2024, 3, 10)),
    (f"CEIL({GAP} TO WEEK)", _at(2024, 3, 17), _at(2024, 3, 17)),
    (f"TIMESTAMPADD(DAY, 1, {GAP})", _at(2024, 3, 11, 2, 30), _at(2024, 3, 11, 2, 30)),
    ("CONVERT_TZ('2024-03-10 02:30:00', 'UTC', 'UTC')", "2024-03-10 02:30:00", "2024-03-10 02:30:00"),
    # The start and end of an instant's unit follow the session's clock.
    (_is("FLOOR(TIMESTAMP_LTZ '2024-07-15 13:45:59Z' TO YEAR)", "2024-01-01 05:00:00Z"), True, False),
    (_is("FLOOR(TIMESTAMP_LTZ '2024-07-15 13:45:59Z' TO YEAR)", "2023-12-31 18:30:00Z"), False, True),
    (_is("FLOOR(TIMESTAMP_LTZ '2024-03-10 20:00:00Z' TO DAY)", "2024-03-10 05:00:00Z"), True, False),
    (_is("CEIL(TIMESTAMP_LTZ '2024-03-10 06:00:00Z' TO DAY)", "2024-03-11 04:00:00Z"), True, False),
    (_is("CEIL(TIMESTAMP_LTZ '2024-03-10 06:00:00Z' TO WEEK)", "2024-03-17 04:00:00Z"), True, False),
    (_is("FLOOR(TIMESTAMP_LTZ '2024-03-12 06:00:00Z' TO WEEK)", "2024-03-10 05:00:00Z"), True, False),
    (_is("FLOOR(TIMESTAMP_LTZ '2024-03-12 06:00:00Z' TO HOUR)", "2024-03-12 06:00:00Z"), True, False),
    (_is("FLOOR(TIMESTAMP_LTZ '2024-03-12 06:00:00Z' TO HOUR)", "2024-03-12 05:30:00Z"), False, True),
    # The two 01:30 are in two hours.
    (_is("FLOOR(TIMESTAMP_LTZ '2024-11-03 05:30:00Z' TO HOUR)", "2024-11-03 05:00:00Z"), True, False),
    (_is("FLOOR(TIMESTAMP_LTZ '2024-11-03 06:30:00Z' TO HOUR)", "2024-11-03 06:00:00Z"), True, False),
    (_is("CEIL(TIMESTAMP_LTZ '2024-11-03 05:30:00Z' TO HOUR)", "2024-11-03 06:00:00Z"), True, False),
    # A day is a calendar day. TIMESTAMPADD counts elapsed hours, while TIMESTAMPDIFF counts hours of the clock.
    (_is("TIMESTAMPADD(DAY, 1, TIMESTAMP_LTZ '2024-03-09 17:00:00Z')", "2024-03-10 16:00:00Z"), True, False),
    (_is("TIMESTAMPADD(HOUR, 24, TIMESTAMP_LTZ '2024-03-09 17:00:00Z')", "2024-03-10 17:00:00Z"), True, True),
    ("TIMESTAMPDIFF(HOUR, TIMESTAMP_LTZ '2024-03-09 17:00:00Z', TIMESTAMP_LTZ '2024-03-10 16:00:00Z')", 24, 23),
    ("EXTRACT(HOUR FROM TIMESTAMP_LTZ '2024-03-10 07:30:00Z')", 3, 13),
    ("DATE_FORMAT(TIMESTAMP_LTZ '2024-11-03 06:30:00Z', 'HH:mm')", "01:30", "12:00"),
    ("FROM_UNIXTIME(0)", "1969-12-31 19:00:00", "1970-01-01 05:30:00"),
    ("UNIX_TIMESTAMP('1970-01-01 00:00:00')", 18000, -19800),
    # A value that is converted to an instant first has its gaps.
    (f"DATE_FORMAT({GAP}, 'HH:mm')", "03:30", "02:30"),
]


@pytest.mark.parametrize("zone", ZONES)
def test_values(spark: SparkSession, zone: str) -> None:
    session = spark.newSession()
    session.conf.set("spark.sql.session.timeZone", zone)
    texts = [ENVIRONMENT.sql_query(f"SELECT {expression}").as_serializable_string() for expression, *_ in CASES]
    (row,) = session.sql(f"SELECT {', '.join(f'({text}) AS c{i}' for i, text in enumerate(texts))}").collect()
    found = [(case[0], value) for case, value in zip(CASES, row, strict=True)]
    assert found == [(case[0], case[1 + ZONES.index(zone)]) for case in CASES]
