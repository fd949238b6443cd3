"""Mistakes with time functions, and functions that are rejected by name."""

from __future__ import annotations

import re

import pytest

from ir.errors import FunctionNotExistException, TableException, ValidationException
from ir.rendering import Dialect
from tableapi import Table
from tableapi.expression import TimeIntervalUnit, TimePointUnit
from tableapi.expressions import call, col, date_format, lit, temporal_overlaps, timestamp_diff, to_timestamp_ltz
from tests.programs.tables import Tables, environment_without_spark

TABLES = Tables(environment_without_spark())


def _sql(expression: str, dialect: Dialect = Dialect.SPARK) -> Table:
    return TABLES.env.sql_query(f"SELECT {expression} AS x FROM readings", dialect=dialect)


UNITS = "YEAR, QUARTER, MONTH, WEEK, DAY, HOUR, MINUTE, SECOND, MILLISECOND, MICROSECOND"


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("EXTRACT(ERA FROM at)", "EXTRACT has no unit ERA; it has YEAR, YEAROFWEEK, QUARTER, MONTH, WEEK, DAY"),
        ("EXTRACT(MONHT FROM at)", "Did you mean 'MONTH'?"),
        ("DATE_PART('epoch', at)", "argument 1 is not <name of a unit such as 'YEAR'>"),
        ("EXTRACT(HOUR FROM n)", "Invalid call of EXTRACT(HOUR, INT)"),
        ("EXTRACT(DAY FROM TIME '10:00:00')", "Invalid call of EXTRACT(DAY, 10:00:00 TIME(6) NOT NULL)"),
        ("DATEADD('month', 1, at)", f"DATEADD of three arguments begins with a unit without quotes: {UNITS} or DAYOF"),
        ("TIMESTAMPDIFF(CENTURY, at, at)", "TIMESTAMPDIFF of three arguments begins with a unit without quotes"),
        (
            "TIMESTAMPADD(DAY, 1)",
            "it takes 3 arguments, but 2 were given. Supported: TIMESTAMPADD(<unit>, <BIGINT>, <T",
        ),
        ("DATE_ADD(day, big)", "Invalid call of DATE_ADD(DATE, BIGINT): argument 2 (days) is not <INT>"),
        (
            "LAST_DAY(n)",
            "Invalid call of LAST_DAY(INT): argument 1 (date) is not <DATE>. Supported: LAST_DAY(",
        ),
        ("TIME_BUCKET(INTERVAL '0' DAY, at)", "argument 1 is not <positive INTERVAL literal>"),
        ("TIME_BUCKET(INTERVAL '1' DAY, at, TIMESTAMP_LTZ '2024-01-01 00:00:00Z')", "do not fit together"),
        ("FLOOR(at TO ERA)", "FLOOR(… TO ERA) is not possible; the units are MILLENNIUM, CENTURY, DECADE, YEAR, "),
        ("CEIL(TIME '23:30:00' TO HOUR)", "argument 1 is not <DATE or TIMESTAMP>"),
        (
            "FLOOR(TIME '23:30:00' TO DAY)",
            "Supported: FLOOR TO(<DATE or TIMESTAMP> TO <unit>); FLOOR TO(<TIME> TO <HO",
        ),
        ("(day, day) OVERLAPS day", "OVERLAPS stands between two periods: (start, end) OVERLAPS (start, length)."),
        (
            "(day, day) OVERLAPS (TIME '10:00:00', INTERVAL '1' HOUR)",
            "Invalid call of OVERLAPS(DATE, DATE, 10:00:00",
        ),
        ("WINDOW_TIME(day)", "Invalid call of WINDOW_TIME(DATE): argument 1 (window) is not <window>"),
    ],
)
def test_mistakes_in_sql(expression: str, message: str) -> None:
    with pytest.raises(ValidationException, match=re.escape(message)):
        _sql(expression)


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        ("UNIX_NANOS(instant)", "it uses nanosecond timestamps"),
        ("TIMESTAMP_NANOS(n)", "it uses nanosecond timestamps"),
        ("CURRENT_ROW_TIMESTAMP()", "Spark has nothing like it"),
        ("CURRENT_WATERMARK(at)", "Spark has nothing like it"),
        ("PROCTIME()", "Spark has nothing like it"),
        ("SOURCE_WATERMARK()", "Spark has nothing like it"),
    ],
)
def test_refused_by_name(expression: str, reason: str) -> None:
    name = expression.partition("(")[0].upper()
    message = rf"^{name} is not supported: {reason}.*\. [A-Z].*\.\nline 1, column 8:"
    with pytest.raises(TableException, match=message) as raised:
        _sql(expression)
    assert isinstance(raised.value, FunctionNotExistException)
    with pytest.raises(TableException, match=f"{name} is not supported: {reason}"):
        TABLES.readings.select(call(name, col("n")))


def test_units_of_floor_and_ceil() -> None:
    for unit in (TimeIntervalUnit.DAY_TO_HOUR, TimeIntervalUnit.DOW, "DAY"):
        with pytest.raises(
            ValidationException, match=r"floor takes a TimeIntervalUnit of one field \(MILLENNIUM, CENTURY"
        ):
            col("at").floor(unit)  # type: ignore[arg-type]  # the mistake
        with pytest.raises(
            ValidationException, match=r"ceil takes a TimeIntervalUnit of one field \(MILLENNIUM, CENTURY"
        ):
            col("at").ceil(unit)  # type: ignore[arg-type]  # the mistake


def test_a_number_is_an_instant_in_a_precision() -> None:
    for wrong, message in [
        (to_timestamp_ltz(col("n")), "counts milliseconds in Flink and seconds in Spark: n is of type INT"),
        (to_timestamp_ltz(col("n"), 4), "the literal 0 for seconds, 3 for milliseconds or 6 for microseconds, but 4"),
        (to_timestamp_ltz(col("n"), col("n")), "or 6 for microseconds, but n was given"),
    ]:
        with pytest.raises(ValidationException, match=re.escape(message)):
            TABLES.readings.select(wrong)
    with pytest.raises(ValidationException, match="was given 3 arguments"):
        to_timestamp_ltz(col("n"), 3, "UTC")


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        (
            col("instant").floor(TimeIntervalUnit.YEAR),
            "it takes the offset from UTC of that instant for the one of",
        ),
        (col("instant").ceil(TimeIntervalUnit.MILLISECOND), "it cuts off what is finer than a MILLISECOND"),
        (timestamp_diff(TimePointUnit.MONTH, col("day"), col("day")), "it counts a month from one last day to another"),
        (timestamp_diff(TimePointUnit.MICROSECOND, col("at"), col("at")), "the number of MICROSECONDs overflows"),
        (timestamp_diff(TimePointUnit.DAY, col("day"), col("at")), "it counts between two dates or two timestamps"),
        (call("timestampAdd", TimePointUnit.MICROSECOND, 1, col("at")), "it adds no microseconds"),
        (call("timestampAdd", TimePointUnit.DAY, 1, col("day")), "its result is of another type"),
        (call("timestampAdd", TimePointUnit.DAY, 1, col("instant")), "a day of an instant has 24 hours there"),
        (temporal_overlaps(col("at"), lit(1).day, col("day"), lit(1).day), "the points must be of one type there"),
        (date_format(col("at"), "QQQ"), "the letters of its patterns may mean something else"),
        (date_format(col("at"), "yyyyy"), "the letters of its patterns may mean something else"),
        (call("timestamp_seconds", col("fine")), "only of a whole number"),
        (to_timestamp_ltz("2024-01-01 00:00:00"), "Flink reads a string without a time zone in UTC"),
        (call("last_day", col("day")), "Flink has no such function"),
    ],
)
def test_calls_with_another_meaning_in_flink_have_no_flink_text(expression: object, reason: str) -> None:
    table = TABLES.readings.select(expression)
    assert table.as_serializable_string()
    with pytest.raises(TableException, match=re.escape(reason)):
        table.as_serializable_string(Dialect.FLINK)


@pytest.mark.parametrize(
    ("flink", "spark"),
    [
        # Flink's TIMESTAMPADD of a date is a date, its WEEK is the ISO week, and its TO_TIMESTAMP has no time zone.
        ("TIMESTAMPADD(MONTH, 1, `day`)", "`day` + INTERVAL '1' MONTH"),
        ("TIMESTAMPADD(DAY, n, `day`)", "`day` + n * INTERVAL '1' DAY"),
        ("TIMESTAMPADD(HOUR, 1, `day`)", "CAST(`day` AS TIMESTAMP_NTZ) + INTERVAL '1' HOUR"),
        ("TIMESTAMPADD(MONTH, 1, `at`)", "TIMESTAMPADD(MONTH, 1, at)"),
        ("WEEK(`day`)", "WEEKOFYEAR(day)"),
        ("EXTRACT(ISODOW FROM `day`)", "EXTRACT(DOW_ISO FROM day)"),
        ("EXTRACT(ISOYEAR FROM `day`)", "EXTRACT(YEAROFWEEK FROM day)"),
        ("TO_TIMESTAMP('2024-01-01 00:00:00')", "TO_TIMESTAMP_NTZ('2024-01-01 00:00:00')"),
        ("TO_TIMESTAMP_LTZ(n, 3)", "TIMESTAMP_MILLIS(n)"),
        ("CEILING(`at` TO WEEK)", "CEIL(at TO week)"),
    ],
)
def test_meaning_of_flink_text(flink: str, spark: str) -> None:
    assert _sql(flink, Dialect.FLINK).query_operation is _sql(spark).query_operation


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("EXTRACT(yrs FROM day)", "DATEPART('Y', day)"),
        ("EXTRACT('dow', day)", "DAYOFWEEK(day)"),
        ("DATEADD(DAYOFYEAR, 1, at)", "TIMESTAMPADD(DAY, 1, at)"),
        ("DATEDIFF(DAY, day, day)", "TIMEDIFF(day, day, day)"),
        ("DATEDIFF(day, day)", "DATE_DIFF(day, day)"),
        ("DATE_TRUNC('MONTH', instant)", "FLOOR(instant TO MONTH)"),
        ("TIME_BUCKET(INTERVAL '1' MONTH, at)", "FLOOR(at TO MONTH)"),
        ("FLOOR(day TO HOUR)", "day"),
        ("(day, day + INTERVAL '1' DAY) OVERLAPS (day, day)", "(day, INTERVAL '1' DAY) OVERLAPS (day, day)"),
        ("CURDATE()", "CURRENT_DATE"),
    ],
)
def test_equal_expressions(one: str, other: str) -> None:
    assert _sql(one).query_operation is _sql(other).query_operation
