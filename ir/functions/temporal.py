"""Fields of dates, times and intervals, and the current time."""

from __future__ import annotations

from ir import types as t
from ir.casts import implicit_cast
from ir.dialects.syntax import OwnSyntax, special
from ir.expressions import ResolvedExpression, SymbolLiteral, ValueLiteral
from ir.functions.builder import as_function, scalar
from ir.functions.definition import Construct, FunctionDefinition, Mismatch, Shown
from ir.inference import CallContext
from ir.inference.arguments import ANY, TEXT_OR_NULL, Explicit, literal_where, symbol
from ir.inference.arguments import INTEGER as INTEGER_ARGUMENT
from ir.inference.inputs import Computed, positional
from ir.inference.results import Always, NullableIfArguments, never_null, nullable_if_arguments
from ir.inference.results import Computed as ComputedResult
from ir.types import LogicalType

# --- EXTRACT ---------------------------------------------------------------------------------------------------------

_DATE_UNITS = ("YEAR", "YEAROFWEEK", "QUARTER", "MONTH", "WEEK", "DAY", "DOW", "DOW_ISO", "DOY")
_TIME_UNITS = ("HOUR", "MINUTE", "SECOND")
EXTRACT_UNITS = _DATE_UNITS + _TIME_UNITS
FLINK_UNITS = {unit: {"YEAROFWEEK": "ISOYEAR", "DOW_ISO": "ISODOW"}.get(unit, unit) for unit in EXTRACT_UNITS}
"""The names of the units in Flink's SQL."""

_ALIASES = {
    "YEAR": "Y YEARS YR YRS",
    "QUARTER": "QTR",
    "MONTH": "MON MONS MONTHS",
    "WEEK": "W WEEKS",
    "DAY": "D DAYS",
    "DOW": "DAYOFWEEK",
    "DOW_ISO": "DAYOFWEEK_ISO",
    "HOUR": "H HOURS HR HRS",
    "MINUTE": "M MIN MINS MINUTES",
    "SECOND": "S SEC SECONDS SECS",
}
_UNIT_OF = {
    **{unit: unit for unit in EXTRACT_UNITS},
    **{alias: unit for unit, aliases in _ALIASES.items() for alias in aliases.split()},
}


def extract_unit(name: str) -> str | None:
    """Return the unit that Spark means by a name in any case, None for an unknown name.

    >>> extract_unit("yrs")
    'YEAR'
    """
    return _UNIT_OF.get(name.upper())


def _seconds(fraction_digits: int) -> t.DecimalType:
    return t.DecimalType(2 + fraction_digits, fraction_digits)


def _fields(interval: t.IntervalType | t.CalendarIntervalType) -> list[str]:
    if isinstance(interval, t.CalendarIntervalType):
        return list(t.IntervalField.__members__)
    return [field.name for field in t.IntervalField if interval.start <= field <= interval.end]


def _extract_source(unit: str | None, source: LogicalType) -> LogicalType | None:
    """Return the type that the source is cast to, as Spark's DATE_PART chooses it by unit."""
    if isinstance(source, (t.IntervalType, t.CalendarIntervalType)):
        return source if unit in _fields(source) else None
    if unit in _DATE_UNITS:
        return None if isinstance(source, t.TimeType) else implicit_cast(source, t.DATE)
    if unit in _TIME_UNITS:
        if isinstance(source, t.TimeType):
            # Spark reads a time's fields through a static method, whose result counts as nullable.
            return source.as_nullable()
        return implicit_cast(source, t.TIMESTAMP_LTZ) if not isinstance(source, t.TimestampType) else source
    return None


def _extract_types(context: CallContext) -> tuple[LogicalType, ...] | None:
    source = _extract_source(_unit(context), context.argument_types[1])
    return None if source is None else (context.argument_types[0], source)


def _unit(context: CallContext) -> str | None:
    """Return the unit of a call: a keyword of EXTRACT or a string of DATE_PART."""
    named = context.symbol(0) or context.literal_value(0)
    return extract_unit(named) if isinstance(named, str) else None


def _extract_result(context: CallContext) -> LogicalType:
    unit, source = _unit(context), context.argument_types[1]
    if unit == "SECOND":
        result: LogicalType = _seconds(source.precision if isinstance(source, t.TimeType) else 6)
    elif isinstance(source, (t.IntervalType, t.CalendarIntervalType)) and unit in ("MONTH", "HOUR", "MINUTE"):
        result = t.TINYINT
    else:
        result = t.INT
    return result.with_nullability(source.nullable)


EXTRACT = scalar(
    "extract",
    Computed(
        2,
        2,
        "TEMPORAL",
        _extract_types,
        (f"<{' | '.join(EXTRACT_UNITS)}>, <DATE, TIME, TIMESTAMP or INTERVAL>",),
        (symbol(*EXTRACT_UNITS), ANY),
    ),
    ComputedResult(_extract_result),
    sql="EXTRACT",
    syntax=special(OwnSyntax.EXTRACT),
    difference="Flink's fields are BIGINT, and its seconds have no fraction.",
    doc="The given field of a date, a time or an interval; weeks are those of ISO 8601, and DOW counts from 1 for "
    "Sunday.",
    example=("EXTRACT(YEAR FROM DATE '2024-02-29')", "2024"),
    mismatch=Mismatch(together="UNEXPECTED_INPUT_TYPE", before_order=True),
    read_as=OwnSyntax.EXTRACT,
    takes_from=True,
)


def _part_types(context: CallContext) -> tuple[LogicalType, ...] | None:
    unit = context.literal(0)
    return context.argument_types if unit is not None and unit.is_null else _extract_types(context)


def _extract_of(arguments: tuple[ResolvedExpression, ...], call: Construct) -> ResolvedExpression:
    named, source = arguments
    assert isinstance(named, ValueLiteral)
    if named.value is None:
        # Spark does not check the source if the unit is NULL.
        return ValueLiteral(None, t.DOUBLE)
    unit = extract_unit(str(named.value))
    assert unit is not None, "the argument's strategy accepts names of units alone"
    return call(EXTRACT, (SymbolLiteral(unit), source))


_UNIT_NAME = literal_where(
    TEXT_OR_NULL,
    lambda value: value is None or (isinstance(value, str) and extract_unit(value) is not None),
    "name of a unit such as 'YEAR'",
)
DATE_PART = scalar(
    "date_part",
    Computed(2, 2, "TEMPORAL", _part_types, ("<unit>, <DATE, TIME, TIMESTAMP or INTERVAL>",), (_UNIT_NAME, ANY)),
    ComputedResult(_extract_result),
    sql="DATE_PART",
    also=("datepart",),
    canonical=_extract_of,
    doc="The given field of a date, a time or an interval: EXTRACT with the name of the field as a string.",
    example=("DATE_PART('yr', DATE '2024-02-29')", "2024"),
    mismatch=Mismatch(together="UNEXPECTED_INPUT_TYPE", before_order=True),
)

# --- functions of one field ------------------------------------------------------------------------------------------


def _part(name: str, unit: str, doc: str, example: str, *, also: tuple[str, ...] = ()) -> FunctionDefinition:
    """Define a function that becomes EXTRACT of a field of a date."""
    return scalar(
        name,
        positional(Explicit(t.DATE), names="date"),
        nullable_if_arguments(t.INT),
        sql=name.upper(),
        also=also,
        canonical=lambda arguments, call: call(EXTRACT, (SymbolLiteral(unit), *arguments)),
        doc=doc,
        example=(f"{name.upper()}(DATE '2024-12-30')", example),
    )


YEAR = _part("year", "YEAR", "The year of a date.", "2024")
QUARTER = _part("quarter", "QUARTER", "The quarter of a date, from 1 to 4.", "4")
MONTH = _part("month", "MONTH", "The month of a date, from 1 to 12.", "12")
WEEK_OF_YEAR = _part("weekofyear", "WEEK", "The week of date, by ISO 8601.", "1")
DAY_OF_MONTH = _part("dayofmonth", "DAY", "The day of the month of a date.", "30", also=("day",))
DAY_OF_WEEK = _part("dayofweek", "DOW", "The day of the week of date, from 1 for Sunday to 7 for Saturday.", "2")
DAY_OF_YEAR = _part("dayofyear", "DOY", "The day of the year of a date.", "365")


def _time_types(context: CallContext) -> tuple[LogicalType, ...] | None:
    source = _extract_source("HOUR", context.argument_types[0])
    return None if source is None or isinstance(source, (t.IntervalType, t.CalendarIntervalType)) else (source,)


_TIME_SOURCE = Computed(1, 1, "TIME or TIMESTAMP", _time_types)


def _time_part(name: str, unit: str | None, doc: str, example: str) -> FunctionDefinition:
    """Define a function of a field of a time of day; with ``unit``, a call becomes EXTRACT."""

    def canonical(arguments: tuple[ResolvedExpression, ...], call: Construct) -> ResolvedExpression:
        assert unit is not None
        return call(EXTRACT, (SymbolLiteral(unit), *arguments))

    return scalar(
        name,
        _TIME_SOURCE,
        NullableIfArguments(Always(t.INT)),
        sql=name.upper(),
        canonical=canonical if unit is not None else None,
        doc=doc,
        example=(f"{name.upper()}(TIMESTAMP_NTZ '2024-12-30 10:11:12.5')", example),
    )


HOUR = _time_part("hour", "HOUR", "The hour of a time, from 0 to 23.", "10")
MINUTE = _time_part("minute", "MINUTE", "The minute of a time, from 0 to 59.", "11")
# EXTRACT(SECOND FROM …) includes the fraction.
SECOND = _time_part("second", None, "The second of a time, from 0 to 59, without its fraction.", "12")

# --- the current time ------------------------------------------------------------------------------------------------


def _is_time_precision(value: object) -> bool:
    return isinstance(value, int) and 0 <= value <= t.MAX_TIME_PRECISION


CURRENT_DATE = scalar(
    "currentDate",
    positional(),
    never_null(t.DATE),
    sql="CURRENT_DATE",
    also=("curdate",),
    syntax=special(OwnSyntax.BARE_NAME),
    fluent=as_function("current_date"),
    doc="The day on which the query began, in the session's time zone.",
    example=("CURRENT_DATE() >= DATE '2024-01-01'", "TRUE"),
    shown=Shown(names={"curdate": "current_date"}, result=t.DATE),
    bare_names=("current_date",),
)
CURRENT_TIMESTAMP = scalar(
    "currentTimestamp",
    positional(),
    never_null(t.TIMESTAMP_LTZ),
    sql="CURRENT_TIMESTAMP",
    syntax=special(OwnSyntax.BARE_NAME),
    fluent=as_function("current_timestamp"),
    doc="The instant at which the query began.",
    example=("CURRENT_TIMESTAMP() >= TIMESTAMP_LTZ '2024-01-01 00:00:00Z'", "TRUE"),
    bare_names=("current_timestamp",),
)
NOW = scalar(
    "now",
    positional(),
    never_null(t.TIMESTAMP_LTZ),
    sql="NOW",
    fluent=as_function("now"),
    doc="The instant at which the query began.",
    example=("NOW() = CURRENT_TIMESTAMP()", "TRUE"),
)
LOCAL_TIMESTAMP = scalar(
    "localTimestamp",
    positional(),
    never_null(t.TIMESTAMP),
    sql="LOCALTIMESTAMP",
    syntax=special(OwnSyntax.BARE_NAME),
    fluent=as_function("local_timestamp"),
    doc="The date and time of day at which the query began, in the session's time zone.",
    example=("LOCALTIMESTAMP() >= TIMESTAMP_NTZ '2024-01-01 00:00:00'", "TRUE"),
    reads_time_zone=True,
)


def _current_time(context: CallContext) -> LogicalType:
    return t.TimeType(context.literal_value(0) if len(context) else 6, nullable=False)


_PRECISION = literal_where(INTEGER_ARGUMENT, _is_time_precision, f"precision from 0 to {t.MAX_TIME_PRECISION}")
CURRENT_TIME = scalar(
    "currentTime",
    positional(_PRECISION, optional=1),
    ComputedResult(_current_time),
    sql="CURRENT_TIME",
    syntax=special(OwnSyntax.BARE_NAME),
    fluent=as_function("current_time"),
    doc="The time of day at which the query began, in the session's time zone, with up to nine fractional digits.",
    example=("CURRENT_TIME(0) <= TIME '23:59:59'", "TRUE"),
    shown=Shown(defaults=("6",)),
    bare_names=("current_time",),
)
LOCAL_TIME = scalar(
    "localTime",
    positional(_PRECISION, optional=1),
    ComputedResult(_current_time),
    sql="LOCALTIME",
    syntax=special(OwnSyntax.BARE_NAME),
    fluent=as_function("local_time"),
    doc="The time of day at which the query began, in the session's time zone, with up to nine fractional digits.",
    example=("LOCALTIME() >= TIME '00:00:00'", "TRUE"),
    reads_time_zone=True,
    shown=Shown(names={"localtime": "current_time"}, defaults=("6",)),
)
CURRENT_TIME_ZONE = scalar(
    "current_timezone",
    positional(),
    never_null(t.STRING),
    sql="CURRENT_TIMEZONE",
    in_flink=False,
    doc="The name of the session's time zone.",
    example=("CURRENT_TIMEZONE() IS NOT NULL", "TRUE"),
    reads_time_zone=True,
)
