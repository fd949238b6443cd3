"""Functions of times of day (TIME), which Spark has if ``spark.sql.timeType.enabled`` is set.

Source: https://spark.apache.org/docs/latest/sql-ref-functions-builtin.html#date-and-timestamp-functions
"""

from __future__ import annotations

from ir import types as t
from ir.functions.builder import as_function, scalar
from ir.functions.definition import FunctionDefinition
from ir.inference.arguments import INTEGER, STRING, Explicit, Family
from ir.inference.inputs import positional
from ir.inference.results import Argument, Nullable, maybe_null
from ir.inference.type_inference import ArgumentTypeStrategy, TypeStrategy

_TIME = Family("TIME", (t.TimeType,), (t.TimeType(6),))
_OWN_TIME = Family("TIME", (t.TimeType, t.NullType))
_OWN_TEXT = Family("STRING", (t.CharacterType, t.NullType))
_A_TIME = maybe_null(t.TimeType(6))
_NUMBER = Family("NUMERIC", (t.NumericType, t.NullType))
_WHOLE = Family("INTEGER", (t.IntegralType, t.NullType))

MAKE_TIME = scalar(
    "make_time",
    positional(INTEGER, INTEGER, Explicit(t.DecimalType(16, 6)), names="hour minute second"),
    _A_TIME,
    sql="MAKE_TIME",
    fluent=as_function("make_time", "hour minute second"),
    in_flink=False,
    doc="The time of day with the given hour, minute and second, which may have a fraction; an error if there is none.",
    example=("MAKE_TIME(6, 30, 45.887)", "'06:30:45.887000'"),
    can_fail=True,
)
TIME_TRUNC = scalar(
    "time_trunc",
    positional(STRING, _TIME, names="unit time"),
    Nullable(Argument(1)),
    sql="TIME_TRUNC",
    in_flink=False,
    doc="The time truncated to unit: HOUR, MINUTE, SECOND, MILLISECOND or MICROSECOND.",
    example=("TIME_TRUNC('HOUR', TIME '09:32:05.359')", "'09:00:00'"),
)
TIME_DIFF = scalar(
    "time_diff",
    positional(STRING, _TIME, _TIME, names="unit start end"),
    maybe_null(t.BIGINT),
    sql="TIME_DIFF",
    in_flink=False,
    doc="The number of whole units from start to end, in HOUR, MINUTE, SECOND, MILLISECOND or MICROSECOND.",
    example=("TIME_DIFF('HOUR', TIME '20:30:29', TIME '12:00:00')", "-8"),
)


def _define_from_number(
    name: str, what: str, argument: ArgumentTypeStrategy, example: tuple[str, str]
) -> FunctionDefinition:
    return scalar(
        name,
        positional(argument, names=what),
        _A_TIME,
        sql=name.upper(),
        in_flink=False,
        doc=f"The time of day that is the given number of {what} after midnight.",
        example=example,
    )


TIME_FROM_SECONDS = _define_from_number(
    "time_from_seconds", "seconds", _NUMBER, ("TIME_FROM_SECONDS(52200.5)", "'14:30:00.500000'")
)
TIME_FROM_MILLIS = _define_from_number(
    "time_from_millis", "milliseconds", _WHOLE, ("TIME_FROM_MILLIS(52200500)", "'14:30:00.500000'")
)
TIME_FROM_MICROS = _define_from_number(
    "time_from_micros", "microseconds", _WHOLE, ("TIME_FROM_MICROS(52200500000)", "'14:30:00.500000'")
)


def _define_to_number(name: str, what: str, returns: TypeStrategy, example: tuple[str, str]) -> FunctionDefinition:
    return scalar(
        name,
        positional(_OWN_TIME, names="time"),
        returns,
        sql=name.upper(),
        in_flink=False,
        doc=f"The number of {what} from midnight to time.",
        example=example,
    )


TIME_TO_SECONDS = _define_to_number(
    "time_to_seconds",
    "seconds",
    maybe_null(t.DecimalType(14, 6)),
    ("TIME_TO_SECONDS(TIME '14:30:00.5')", "52200.500000"),
)
TIME_TO_MILLIS = _define_to_number(
    "time_to_millis", "milliseconds", maybe_null(t.BIGINT), ("TIME_TO_MILLIS(TIME '14:30:00.5')", "52200500")
)
TIME_TO_MICROS = _define_to_number(
    "time_to_micros", "microseconds", maybe_null(t.BIGINT), ("TIME_TO_MICROS(TIME '14:30:00.5')", "52200500000")
)
_TEXT = positional(_OWN_TEXT, _OWN_TEXT, optional=1, names="text pattern")
TO_TIME = scalar(
    "to_time",
    _TEXT,
    _A_TIME,
    sql="TO_TIME",
    in_flink=False,
    doc="The time of day that text represents in pattern, or as CAST reads it; an error if text is invalid.",
    example=("TO_TIME('10:11:12.5')", "'10:11:12.500000'"),
    can_fail=True,
)
TRY_TO_TIME = scalar(
    "try_to_time",
    _TEXT,
    _A_TIME,
    sql="TRY_TO_TIME",
    in_flink=False,
    doc="The time of day that text represents in pattern, or as CAST reads it; NULL if text is invalid.",
    example=("TRY_TO_TIME('none')", "NULL"),
)
