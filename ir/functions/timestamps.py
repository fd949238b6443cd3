"""Functions of timestamps: construction from fields, numbers and strings, and the inverse.

Source: https://spark.apache.org/docs/latest/sql-ref-functions-builtin.html#date-and-timestamp-functions
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ir import light_attrs as attrs
from ir import types as t
from ir.casts import cast_is_nullable
from ir.dialects.syntax import OwnSyntax, syntax
from ir.functions.builder import INCREASING, as_function, as_method, scalar
from ir.functions.definition import FunctionDefinition, Mismatch, Shown
from ir.inference import CallContext
from ir.inference.arguments import INTEGER, STRING, Explicit, Family
from ir.inference.inputs import AnyOf, positional
from ir.inference.results import Computed as ComputedResult
from ir.inference.results import maybe_null, nullable_if_arguments
from ir.inference.type_inference import ArgumentTypeStrategy, InputTypeStrategy, TypeStrategy
from ir.types import LogicalType

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ir.functions.entries import Facts, ReaderFacts

_INSTANT = Explicit(t.TIMESTAMP_LTZ)
_AN_INSTANT = nullable_if_arguments(t.TIMESTAMP_LTZ)
_TIMESTAMPS = (t.TimestampType, t.LocalZonedTimestampType)
_NULL = t.NullType

# --- numbers since 1970 ----------------------------------------------------------------------------------------------

_NUMBER = Family("NUMERIC", (t.NumericType, _NULL))
_WHOLE = Family("INTEGER", (t.IntegralType, _NULL))
_OWN_TIMESTAMP = Family("TIMESTAMP", (*_TIMESTAMPS, _NULL))


def _define_from_number(
    name: str, what: str, digits: int, argument: ArgumentTypeStrategy, returns: TypeStrategy, example: tuple[str, str]
) -> FunctionDefinition:
    return scalar(
        name,
        positional(argument, names=what),
        returns,
        sql=name.upper(),
        monotonicity=(INCREASING,),
        flink_syntax=syntax(f"TO_TIMESTAMP_LTZ({{0}}, {digits})"),
        doc=f"The instant that is the given number of {what} after 1970-01-01 00:00:00 UTC.",
        example=example,
    )


def _infer_from_seconds(context: CallContext) -> LogicalType:
    given = context.argument_types[0]
    # NaN and the infinities denote no instant.
    return t.TIMESTAMP_LTZ.with_nullability(given.nullable or isinstance(given, t.FractionalType))


TIMESTAMP_SECONDS = _define_from_number(
    "timestamp_seconds",
    "seconds",
    0,
    _NUMBER,
    ComputedResult(_infer_from_seconds),
    ("UNIX_MILLIS(TIMESTAMP_SECONDS(1230219000.123))", "1230219000123"),
)
TIMESTAMP_MILLIS = _define_from_number(
    "timestamp_millis",
    "milliseconds",
    3,
    _WHOLE,
    _AN_INSTANT,
    ("UNIX_MICROS(TIMESTAMP_MILLIS(1230219000123))", "1230219000123000"),
)
TIMESTAMP_MICROS = _define_from_number(
    "timestamp_micros",
    "microseconds",
    6,
    _WHOLE,
    _AN_INSTANT,
    ("UNIX_MICROS(TIMESTAMP_MICROS(-1))", "-1"),
)


def _define_to_number(name: str, what: str, example: tuple[str, str]) -> FunctionDefinition:
    return scalar(
        name,
        positional(_OWN_TIMESTAMP, names="timestamp"),
        nullable_if_arguments(t.BIGINT),
        sql=name.upper(),
        monotonicity=(INCREASING,),
        in_flink=False,
        doc=f"The {what} from 1970-01-01 00:00:00 UTC to timestamp, rounded down; a TIMESTAMP_NTZ counts as UTC.",
        example=example,
    )


UNIX_SECONDS = _define_to_number(
    "unix_seconds", "seconds", ("UNIX_SECONDS(TIMESTAMP_NTZ '1970-01-01 00:01:00.5')", "60")
)
UNIX_MILLIS = _define_to_number(
    "unix_millis", "milliseconds", ("UNIX_MILLIS(TIMESTAMP_NTZ '1969-12-31 23:59:59.9995')", "-1")
)
UNIX_MICROS = _define_to_number(
    "unix_micros", "microseconds", ("UNIX_MICROS(TIMESTAMP_NTZ '1970-01-01 00:00:00.000001')", "1")
)

_OWN_TEXT = Family("STRING", (t.CharacterType, _NULL))
_TEXT_OR_TIME = Family("STRING, DATE or TIMESTAMP", (t.CharacterType, t.DateType, *_TIMESTAMPS, _NULL))
UNIX_TIMESTAMP = scalar(
    "unixTimestamp",
    positional(_TEXT_OR_TIME, _OWN_TEXT, optional=2, names="time pattern"),
    nullable_if_arguments(t.BIGINT),
    sql="UNIX_TIMESTAMP",
    fluent=as_function("unix_timestamp", "date_str? format?"),
    is_deterministic=False,
    difference="For a string that represents no time, Flink returns -9223372036854775808, and Spark fails.",
    doc="The number of seconds from 1970-01-01 00:00:00 UTC to time, which may be a string in pattern; without "
    "arguments, to the current time.",
    example=("UNIX_TIMESTAMP(TIMESTAMP_LTZ '1970-01-01 00:01:00Z')", "60"),
    shown=Shown(defaults=("current_timestamp()", "yyyy-MM-dd HH:mm:ss")),
)
TO_UNIX_TIMESTAMP = scalar(
    "to_unix_timestamp",
    positional(_TEXT_OR_TIME, _OWN_TEXT, optional=1, names="time pattern"),
    nullable_if_arguments(t.BIGINT),
    sql="TO_UNIX_TIMESTAMP",
    in_flink=False,
    doc="The number of seconds from 1970-01-01 00:00:00 UTC to time, which may be a string in pattern.",
    example=("TO_UNIX_TIMESTAMP(TIMESTAMP_LTZ '1970-01-01 00:01:00Z')", "60"),
    reads_time_zone=True,
    shown=Shown(defaults=(None, "yyyy-MM-dd HH:mm:ss")),
)
FROM_UNIXTIME = scalar(
    "fromUnixtime",
    positional(Explicit(t.BIGINT), STRING, optional=1, names="seconds pattern"),
    maybe_null(t.STRING),
    sql="FROM_UNIXTIME",
    fluent=as_function("from_unixtime", "unixtime format?"),
    doc="The instant that is the given number of seconds after 1970-01-01 00:00:00 UTC, as a string in the session's "
    "time zone and in pattern, by default 'yyyy-MM-dd HH:mm:ss'.",
    example=("FROM_UNIXTIME(86400 * 366, 'yyyy')", "'1971'"),
    shown=Shown(defaults=(None, "yyyy-MM-dd HH:mm:ss")),
)

# --- strings ---------------------------------------------------------------------------------------------------------

DATE_FORMAT = scalar(
    "dateFormat",
    positional(_INSTANT, STRING, names="time pattern"),
    nullable_if_arguments(t.STRING),
    sql="DATE_FORMAT",
    fluent=as_function("date_format", "timestamp format"),
    difference="The letters of pattern are Spark's here, and Java's in Flink.",
    doc="The time as a string in pattern, such as 'yyyy-MM-dd HH:mm:ss'.",
    example=("DATE_FORMAT(DATE '2024-02-29', 'dd/MM/yyyy')", "'29/02/2024'"),
)


def _infer_parsed_type(target: LogicalType, *, attempt: bool) -> TypeStrategy:
    """Return the strategy for a function that casts without a pattern and parses with one."""

    def infer(context: CallContext) -> LogicalType:
        if len(context) == 1:
            return target.with_nullability(cast_is_nullable(context.argument_types[0], target))
        return target.with_nullability(attempt or any(given.nullable for given in context.argument_types))

    return ComputedResult(infer)


_TIME = Family(
    "STRING, DATE or TIMESTAMP",
    (t.CharacterType, t.DateType, *_TIMESTAMPS),
    (t.STRING, t.DATE, t.TIMESTAMP_LTZ, t.TIMESTAMP),
)
_TIME_OR_NUMBER = Family(
    "STRING, DATE, TIMESTAMP or NUMERIC",
    (t.CharacterType, t.DateType, *_TIMESTAMPS, t.NumericType),
    (t.STRING, t.DATE, t.TIMESTAMP_LTZ, t.TIMESTAMP),
)


@attrs.frozen
class _NoNumber:
    """A string or a time; a number is rejected, because a pattern cannot parse it."""

    def infer_argument(self, context: CallContext, position: int) -> LogicalType | None:
        given = context.argument_types[position]
        return None if isinstance(given, t.NumericType) else _TIME.infer_argument(context, position)

    def describe(self) -> str:
        return _TIME.describe()


def _reader(
    name: str,
    target: LogicalType,
    what: str,
    example: tuple[str, str],
    *,
    sql: str | None = None,
    numbers: bool = False,
    **facts: Unpack[ReaderFacts],
) -> FunctionDefinition:
    """Define a function that parses a string, by a pattern or as CAST does."""
    if "in_flink" not in facts:
        facts["in_flink"] = False
    attempt = name.startswith("try_")
    one = positional(_TIME_OR_NUMBER if numbers else _TIME, names="time")
    two = positional(_NoNumber() if numbers else _TIME, STRING, names="time pattern")
    otherwise = "NULL if time is invalid" if attempt else "an error if time is invalid"
    return scalar(
        name,
        AnyOf((one, two)),
        _infer_parsed_type(target, attempt=attempt),
        sql=sql or name.upper(),
        doc=f"The {what} that time represents in pattern, or as CAST reads it without pattern; {otherwise}.",
        example=example,
        **facts,
    )


TO_DATE = _reader(
    "toDate",
    t.DATE,
    "date",
    ("TO_DATE('29/02/2024', 'dd/MM/yyyy')", "'2024-02-29'"),
    sql="TO_DATE",
    fluent=as_function("to_date", "date_str format?"),
    in_flink=True,
    difference="Flink returns NULL for a string that represents no date; Spark fails, and TRY_TO_DATE returns NULL.",
    shown=Shown(result=t.DATE),
)
TRY_TO_DATE = _reader("try_to_date", t.DATE, "date", ("TRY_TO_DATE('none')", "NULL"))
TO_TIMESTAMP = _reader(
    "to_timestamp",
    t.TIMESTAMP_LTZ,
    "instant",
    ("UNIX_SECONDS(TO_TIMESTAMP('1970-01-01 00:01:00Z'))", "60"),
    numbers=True,
    difference="Flink's TO_TIMESTAMP has no time zone: it is Spark's TO_TIMESTAMP_NTZ, which to_timestamp(…) calls.",
    can_fail=True,
    read_as=OwnSyntax.TO_TIMESTAMP,
)
TRY_TO_TIMESTAMP = _reader(
    "try_to_timestamp",
    t.TIMESTAMP_LTZ,
    "instant",
    ("TRY_TO_TIMESTAMP('none')", "NULL"),
    numbers=True,
)
TO_TIMESTAMP_LTZ = _reader(
    "TO_TIMESTAMP_LTZ",
    t.TIMESTAMP_LTZ,
    "instant",
    ("UNIX_SECONDS(TO_TIMESTAMP_LTZ('1970-01-01 00:01:00Z'))", "60"),
    numbers=True,
    difference="Flink reads a string without a time zone in UTC, and a number as milliseconds or in the unit of a "
    "precision; Spark reads the string in the session's time zone, and the number as seconds.",
    read_as=OwnSyntax.TO_TIMESTAMP_LTZ,
)
TO_TIMESTAMP_NTZ = _reader(
    "toTimestamp",
    t.TIMESTAMP,
    "date and time of day",
    ("TO_TIMESTAMP_NTZ('2024-02-29 10') = TIMESTAMP_NTZ '2024-02-29 10:00:00'", "TRUE"),
    sql="TO_TIMESTAMP_NTZ",
    fluent=as_function("to_timestamp", "timestamp_str format?"),
    in_flink=True,
    flink_syntax=syntax("TO_TIMESTAMP({0}[, {1}])"),
    difference="Flink's has milliseconds, and is NULL if the string represents no time; Spark's has microseconds, and "
    "fails.",
)

# --- time zones ------------------------------------------------------------------------------------------------------

FROM_UTC_TIMESTAMP = scalar(
    "from_utc_timestamp",
    positional(_INSTANT, STRING, names="timestamp time_zone"),
    _AN_INSTANT,
    sql="FROM_UTC_TIMESTAMP",
    fluent=as_method("from_utc_timestamp", "time_zone"),
    in_flink=False,
    doc="The local time in time_zone at the moment when the time in UTC is timestamp.",
    example=(
        "FROM_UTC_TIMESTAMP(TIMESTAMP_NTZ '2024-08-31 00:00:00', 'Asia/Seoul') = TIMESTAMP_NTZ '2024-08-31 09:00:00'",
        "TRUE",
    ),
)
TO_UTC_TIMESTAMP = scalar(
    "to_utc_timestamp",
    positional(_INSTANT, STRING, names="timestamp time_zone"),
    _AN_INSTANT,
    sql="TO_UTC_TIMESTAMP",
    fluent=as_method("to_utc_timestamp", "time_zone"),
    in_flink=False,
    doc="The time in UTC at the moment when the local time in time_zone is timestamp.",
    example=(
        "TO_UTC_TIMESTAMP(TIMESTAMP_NTZ '2024-08-31 09:00:00', 'Asia/Seoul') = TIMESTAMP_NTZ '2024-08-31 00:00:00'",
        "TRUE",
    ),
)
_LOCAL = Explicit(t.TIMESTAMP)
CONVERT_TIMEZONE = scalar(
    "convert_timezone",
    AnyOf(
        (
            positional(STRING, _LOCAL, names="target timestamp"),
            positional(STRING, STRING, _LOCAL, names="source target timestamp"),
        )
    ),
    nullable_if_arguments(t.TIMESTAMP),
    sql="CONVERT_TIMEZONE",
    in_flink=False,
    doc="The local time in target at the moment when the local time in source, by default the session's time zone, is "
    "timestamp.",
    example=(
        "CONVERT_TIMEZONE('Europe/Brussels', 'America/Los_Angeles', TIMESTAMP_NTZ '2021-12-06 00:00:00') = "
        "TIMESTAMP_NTZ '2021-12-05 15:00:00'",
        "TRUE",
    ),
    mismatch=Mismatch(together="UNEXPECTED_INPUT_TYPE"),
)

# --- parts -----------------------------------------------------------------------------------------------------------

TRUNCATION_UNITS = (
    *("YEAR", "YYYY", "YY", "QUARTER", "MONTH", "MM", "MON", "WEEK"),
    *("DAY", "DD", "HOUR", "MINUTE", "SECOND", "MILLISECOND", "MICROSECOND"),
)
DATE_TRUNC = scalar(
    "date_trunc",
    positional(STRING, _INSTANT, names="unit timestamp"),
    maybe_null(t.TIMESTAMP_LTZ),
    monotonicity=(None, INCREASING),
    sql="DATE_TRUNC",
    fluent=as_function("date_trunc", "unit timestamp", unit=TRUNCATION_UNITS),
    in_flink=False,
    doc="The timestamp truncated to unit, from YEAR to MICROSECOND, in the session's time zone; NULL if unit is "
    "another string.",
    example=(
        "DATE_TRUNC('WEEK', TIMESTAMP_NTZ '2024-12-31 10:11:12') = TIMESTAMP_NTZ '2024-12-30 00:00:00'",
        "TRUE",
    ),
    guards=True,
)

# --- fields ----------------------------------------------------------------------------------------------------------

_SECONDS = Explicit(t.DecimalType(16, 6))
_DATE, _CLOCK = Family("DATE", (t.DateType, _NULL)), Family("TIME", (t.TimeType, _NULL))
_FIELDS = (INTEGER, INTEGER, INTEGER, INTEGER, INTEGER, _SECONDS)
_FIELD_NAMES = "year month day hour minute second"
_ZONED: tuple[InputTypeStrategy, ...] = (
    positional(*_FIELDS, STRING, optional=1, names=f"{_FIELD_NAMES} time_zone"),
    positional(_DATE, _CLOCK, _OWN_TEXT, optional=2, names="date time time_zone"),
)
_ZONED_LTZ: tuple[InputTypeStrategy, ...] = (
    positional(*_FIELDS, STRING, optional=1, names=f"{_FIELD_NAMES} time_zone"),
    positional(_DATE, _CLOCK, _OWN_TEXT, optional=1, names="date time time_zone"),
)
_LOCAL_FIELDS: tuple[InputTypeStrategy, ...] = (
    positional(*_FIELDS, names=_FIELD_NAMES),
    positional(_DATE, _CLOCK, names="date time"),
)


def _maker(
    name: str,
    options: tuple[InputTypeStrategy, ...],
    result: LogicalType,
    *,
    attempt: bool,
    what: str,
    call: str,
    **facts: Unpack[Facts],
) -> FunctionDefinition:
    kind = "TIMESTAMP_NTZ" if result is t.TIMESTAMP else "TIMESTAMP_LTZ"
    zone = "" if result is t.TIMESTAMP else "Z"
    otherwise = "NULL if there is none" if attempt else "an error if there is none"

    def made(context: CallContext) -> LogicalType:
        # A date and a time of day always make a timestamp, but Spark knows this for instants only.
        of_fields = len(context) > 3
        may_fail = attempt if of_fields else result is t.TIMESTAMP
        return result.with_nullability(may_fail or any(given.nullable for given in context.argument_types))

    return scalar(
        name,
        AnyOf(options),
        ComputedResult(made),
        sql=name.upper(),
        in_flink=False,
        doc=f"The {what} with the given fields, or with the given date and time of day; {otherwise}.",
        example=(f"{call} = {kind} '2024-02-29 06:30:45.887{zone}'", "TRUE"),
        **facts,
    )


_INSTANT_OF = "instant in time_zone, by default the session's,"
MAKE_TIMESTAMP = _maker(
    "make_timestamp",
    _ZONED,
    t.TIMESTAMP_LTZ,
    attempt=False,
    what=_INSTANT_OF,
    call="MAKE_TIMESTAMP(2024, 2, 29, 6, 30, 45.887, 'UTC')",
    can_fail=True,
    mismatch=Mismatch(together="UNEXPECTED_INPUT_TYPE"),
)
TRY_MAKE_TIMESTAMP = _maker(
    "try_make_timestamp",
    _ZONED,
    t.TIMESTAMP_LTZ,
    attempt=True,
    what=_INSTANT_OF,
    call="TRY_MAKE_TIMESTAMP(2024, 2, 29, 6, 30, 45.887, 'UTC')",
    mismatch=Mismatch(together="UNEXPECTED_INPUT_TYPE"),
)
MAKE_TIMESTAMP_LTZ = _maker(
    "make_timestamp_ltz",
    _ZONED_LTZ,
    t.TIMESTAMP_LTZ,
    attempt=False,
    what=_INSTANT_OF,
    call="MAKE_TIMESTAMP_LTZ(DATE '2024-02-29', TIME '06:30:45.887', 'UTC')",
    can_fail=True,
    mismatch=Mismatch(together="UNEXPECTED_INPUT_TYPE"),
)
TRY_MAKE_TIMESTAMP_LTZ = _maker(
    "try_make_timestamp_ltz",
    _ZONED_LTZ,
    t.TIMESTAMP_LTZ,
    attempt=True,
    what=_INSTANT_OF,
    call="TRY_MAKE_TIMESTAMP_LTZ(2024, 2, 29, 6, 30, 45.887, 'UTC')",
    mismatch=Mismatch(together="UNEXPECTED_INPUT_TYPE"),
)
MAKE_TIMESTAMP_NTZ = _maker(
    "make_timestamp_ntz",
    _LOCAL_FIELDS,
    t.TIMESTAMP,
    attempt=False,
    what="date and time",
    call="MAKE_TIMESTAMP_NTZ(2024, 2, 29, 6, 30, 45.887)",
    can_fail=True,
    mismatch=Mismatch(together="UNEXPECTED_INPUT_TYPE"),
)
TRY_MAKE_TIMESTAMP_NTZ = _maker(
    "try_make_timestamp_ntz",
    _LOCAL_FIELDS,
    t.TIMESTAMP,
    attempt=True,
    what="date and time",
    call="TRY_MAKE_TIMESTAMP_NTZ(DATE '2024-02-29', TIME '06:30:45.887')",
    mismatch=Mismatch(together="UNEXPECTED_INPUT_TYPE"),
)
