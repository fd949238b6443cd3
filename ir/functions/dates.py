"""Functions of dates: calendar arithmetic, names of days and months, first and last day of a period.

Source: https://spark.apache.org/docs/latest/sql-ref-functions-builtin.html#date-and-timestamp-functions
"""

from __future__ import annotations

from ir import light_attrs as attrs
from ir import types as t
from ir.dialects.syntax import OwnSyntax
from ir.functions.builder import DECREASING, INCREASING, as_function, as_method, as_property, scalar
from ir.functions.definition import Shown
from ir.inference import CallContext
from ir.inference.arguments import INTEGER, STRING, Explicit, Family
from ir.inference.inputs import positional
from ir.inference.results import maybe_null, nullable_if_arguments
from ir.types import LogicalType

_DATE = Explicit(t.DATE)
_A_DATE = nullable_if_arguments(t.DATE)
_A_NUMBER = nullable_if_arguments(t.INT)
_A_NAME = nullable_if_arguments(t.STRING)

ADD_MONTHS = scalar(
    "add_months",
    positional(_DATE, INTEGER, names="date months"),
    _A_DATE,
    monotonicity=(INCREASING, INCREASING),
    sql="ADD_MONTHS",
    fluent=as_method("add_months", "months"),
    in_flink=False,
    doc="The date plus months; the last day of the month if the month has no such day.",
    example=("ADD_MONTHS(DATE '2024-01-31', 1)", "'2024-02-29'"),
    shown=Shown(result=t.DATE),
)


@attrs.frozen
class _Days:
    """A number of days: an integer up to INT, or a string, which Spark casts."""

    def infer_argument(self, context: CallContext, position: int) -> LogicalType | None:
        given = INTEGER.infer_argument(context, position)
        return given if isinstance(context.argument_types[position], _DAYS_OF) else None

    def describe(self) -> str:
        return INTEGER.describe()


_DAYS_OF = (t.IntType, t.SmallIntType, t.TinyIntType, t.NullType, t.CharacterType)
_DAYS = positional(_DATE, _Days(), names="date days")
DATE_ADD = scalar(
    "date_add",
    _DAYS,
    _A_DATE,
    monotonicity=(INCREASING, INCREASING),
    sql="DATE_ADD",
    also=("dateadd",),
    fluent=as_method("date_add", "days"),
    in_flink=False,
    doc="The date plus days. With a unit as the first of three arguments, it is TIMESTAMPADD.",
    example=("DATE_ADD(DATE '2024-02-28', 2)", "'2024-03-01'"),
    shown=Shown(names={"dateadd": "date_add"}),
    read_as=OwnSyntax.TIMESTAMP_ADD,
)
DATE_SUB = scalar(
    "date_sub",
    _DAYS,
    _A_DATE,
    monotonicity=(INCREASING, DECREASING),
    sql="DATE_SUB",
    fluent=as_method("date_sub", "days"),
    in_flink=False,
    doc="The date minus days.",
    example=("DATE_SUB(DATE '2024-03-01', 1)", "'2024-02-29'"),
)
DATE_DIFF = scalar(
    "date_diff",
    positional(_DATE, _DATE, names="end start"),
    _A_NUMBER,
    monotonicity=(INCREASING, DECREASING),
    sql="DATE_DIFF",
    also=("datediff",),
    fluent=as_method("date_diff", "start"),
    in_flink=False,
    doc="The number of days from start to end. With a unit as the first of three arguments, it is TIMESTAMPDIFF.",
    example=("DATE_DIFF(DATE '2024-03-01', DATE '2024-02-28')", "2"),
    read_as=OwnSyntax.TIMESTAMP_DIFF,
)
DATE_FROM_UNIX_DATE = scalar(
    "date_from_unix_date",
    positional(INTEGER, names="days"),
    _A_DATE,
    monotonicity=(INCREASING,),
    sql="DATE_FROM_UNIX_DATE",
    in_flink=False,
    doc="The date 1970-01-01 plus days.",
    example=("DATE_FROM_UNIX_DATE(-1)", "'1969-12-31'"),
    shown=Shown(result=t.DATE),
)
UNIX_DATE = scalar(
    "unix_date",
    positional(Family("DATE", (t.DateType, t.NullType)), names="date"),
    _A_NUMBER,
    monotonicity=(INCREASING,),
    sql="UNIX_DATE",
    in_flink=False,
    doc="The number of days from 1970-01-01 to date.",
    example=("UNIX_DATE(DATE '1970-01-02')", "1"),
)
WEEKDAY = scalar(
    "weekday",
    positional(_DATE, names="date"),
    _A_NUMBER,
    sql="WEEKDAY",
    in_flink=False,
    doc="The day of the week of date, from 0 for Monday to 6 for Sunday.",
    example=("WEEKDAY(DATE '2024-12-30')", "0"),
)
DAY_NAME = scalar(
    "dayname",
    positional(_DATE, names="date"),
    _A_NAME,
    sql="DAYNAME",
    in_flink=False,
    doc="The three-letter name of the day of the week of date.",
    example=("DAYNAME(DATE '2024-12-30')", "'Mon'"),
)
MONTH_NAME = scalar(
    "monthname",
    positional(_DATE, names="date"),
    _A_NAME,
    sql="MONTHNAME",
    in_flink=False,
    doc="The three-letter name of the month of date.",
    example=("MONTHNAME(DATE '2024-12-30')", "'Dec'"),
)
LAST_DAY = scalar(
    "last_day",
    positional(_DATE, names="date"),
    _A_DATE,
    monotonicity=(INCREASING,),
    sql="LAST_DAY",
    fluent=as_property("last_day"),
    in_flink=False,
    doc="The last day of the month of date.",
    example=("LAST_DAY(DATE '2023-02-03')", "'2023-02-28'"),
    shown=Shown(result=t.DATE),
)
NEXT_DAY = scalar(
    "next_day",
    positional(_DATE, STRING, names="date day_of_week"),
    maybe_null(t.DATE),
    monotonicity=(INCREASING,),
    sql="NEXT_DAY",
    fluent=as_method("next_day", "day_of_week"),
    in_flink=False,
    doc="The first day after date that falls on day_of_week, such as 'Mon' or 'TUESDAY'.",
    example=("NEXT_DAY(DATE '2024-12-30', 'Mon')", "'2025-01-06'"),
    shown=Shown(result=t.DATE),
)
TRUNC = scalar(
    "trunc",
    positional(_DATE, STRING, names="date unit"),
    maybe_null(t.DATE),
    monotonicity=(INCREASING,),
    sql="TRUNC",
    in_flink=False,
    doc="The first day of the YEAR, QUARTER, MONTH or WEEK of date; NULL if unit is another string.",
    example=("TRUNC(DATE '2024-12-31', 'WEEK')", "'2024-12-30'"),
    guards=True,
    shown=Shown(result=t.DATE),
)
MONTHS_BETWEEN = scalar(
    "months_between",
    positional(
        Explicit(t.TIMESTAMP_LTZ), Explicit(t.TIMESTAMP_LTZ), Explicit(t.BOOLEAN), optional=1, names="end start round"
    ),
    nullable_if_arguments(t.DOUBLE),
    sql="MONTHS_BETWEEN",
    fluent=as_method("months_between", "start round?"),
    in_flink=False,
    doc="The number of months from start to end, with a fraction in 31sts, rounded to eight decimal places unless "
    "round is FALSE.",
    example=("MONTHS_BETWEEN(DATE '2024-03-31', DATE '2024-02-29')", "1.0"),
    shown=Shown(defaults=(None, None, "true")),
)
MAKE_DATE = scalar(
    "make_date",
    positional(INTEGER, INTEGER, INTEGER, names="year month day"),
    _A_DATE,
    sql="MAKE_DATE",
    fluent=as_function("make_date", "year month day"),
    in_flink=False,
    doc="The date with the given year, month and day; an error if there is none.",
    example=("MAKE_DATE(2024, 2, 29)", "'2024-02-29'"),
    can_fail=True,
    shown=Shown(result=t.DATE),
)
