"""Write constants and types as code: with the simplest Python value from which the API makes the same literal."""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Callable, Iterator
from decimal import Decimal

from ir import types as t
from ir.call_expressions import Call
from ir.errors import TableException, ValidationException
from ir.expressions import ResolvedExpression, ValueLiteral
from ir.far_dates import FarDate, FarTimestamp
from ir.fine_times import FineTime
from ir.functions.collection import ARRAY, MAP, ROW
from ir.functions.conversion import CAST
from ir.functions.geospatial import ST_GEOGFROMWKB, ST_GEOMFROMWKB, ST_SETSRID
from ir.literal_values import MICROSECONDS
from ir.nodes import post_order
from ir.types import IntervalField, LogicalType
from tableapi import expression as fluent
from tableapi.python_code.code import (
    Code,
    attribute,
    constant,
    display_dict,
    display_list,
    display_tuple,
    import_name,
    invoke,
    method,
    module,
    variable,
)

_UNITS = ("years", "months", "days", "hours", "minutes", "seconds", "millis")
# Python's parser and compiler recurse, so code that is nested deeper is split by variables.
MAX_DEPTH = 40
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


def function(name: str) -> Code:
    """Return the name of a function or a constant of ``tableapi.expressions``."""
    return import_name(name, "tableapi.expressions")


def shorten(code: Code, suggestion: str) -> Code:
    """Return code, or a variable for it if it is nested too deeply for Python's parser."""
    return code if code.depth < MAX_DEPTH else variable(suggestion, code)


# --- Python values ---------------------------------------------------------------------------------------------------


def lines_of_text(value: str) -> Code:
    """Return a string of several lines in triple quotes if it needs no escapes."""
    is_plain = (
        "\n" in value and "\\" not in value and '"' not in value and all(c.isprintable() or c == "\n" for c in value)
    )
    return constant(f'"""{value}"""', value) if is_plain else text(value)


def text(value: str | bytes) -> Code:
    """Return a string literal in the quotes that need fewer escapes, or else in double quotes."""
    written = repr(value)
    prefix, written = ("b", written[1:]) if isinstance(value, bytes) else ("", written)
    inner = _ESCAPED.sub(lambda found: "'" if found[1] == "'" else found[0], written[1:-1])
    quote = "'" if inner.count('"') > inner.count("'") else '"'
    return constant(f"{prefix}{quote}{_quote(inner, quote)}{quote}", value)


def _quote(inner: str, quote: str) -> str:
    return inner.replace(quote, "\\" + quote)


def write_integer(value: int) -> Code:
    """Return an integer literal."""
    return constant(str(value), value)


def python_value(value: object) -> Code:
    """Return the code of a Python value from which the API makes a literal.

    Raises:
        TableException: there is no code for such a value.
    """
    match value:
        case None | bool():
            return constant(str(value), value)
        case int():
            return write_integer(value)
        case float():
            return constant(repr(value), value) if math.isfinite(value) else _special_float(value)
        case Decimal():
            return invoke(import_name("Decimal", "decimal"), text(str(value)))
        case str() | bytes():
            return text(value)
        case dt.timedelta():
            return _timedelta(value)
        case dt.datetime() | dt.date() | dt.time():
            return _moment(value)
    raise TableException(f"There is no Python code for the value {value!r}.")


def _special_float(value: float) -> Code:
    builtin = constant("float", float)
    return invoke(builtin, text("nan" if math.isnan(value) else "inf" if value > 0 else "-inf"))


def _datetime(name: str) -> Code:
    return attribute(module("dt", "datetime"), name)


def _moment(value: dt.date | dt.time) -> Code:
    if isinstance(value, dt.time):
        fields = ["hour", "minute", "second", "microsecond"]
        least = 2
    elif isinstance(value, dt.datetime):
        fields = ["year", "month", "day", "hour", "minute", "second", "microsecond"]
        least = 3
    else:
        fields = ["year", "month", "day"]
        least = 3
    numbers = [getattr(value, name) for name in fields]
    while len(numbers) > least and not numbers[-1]:
        numbers.pop()
    named = {}
    if isinstance(value, dt.datetime) and value.tzinfo is not None:
        named["tzinfo"] = _datetime("UTC")
    return invoke(_datetime(type(value).__name__), *map(write_integer, numbers), **named)


def _timedelta(value: dt.timedelta) -> Code:
    total = value // dt.timedelta(microseconds=1)
    sign, rest = (-1, -total) if total < 0 else (1, total)
    named = {}
    for unit, length in (
        ("days", 86_400_000_000),
        ("hours", 3_600_000_000),
        ("minutes", 60_000_000),
        ("seconds", 1_000_000),
        ("milliseconds", 1000),
        ("microseconds", 1),
    ):
        amount, rest = divmod(rest, length)
        if amount:
            named[unit] = write_integer(sign * amount)
    return invoke(_datetime("timedelta"), **named)


# --- types -----------------------------------------------------------------------------------------------------------


def _data_types(name: str) -> Code:
    return attribute(import_name("DataTypes", "tableapi"), name)


def data_type(root: LogicalType) -> Code:
    """Return the code that builds a type with ``DataTypes``."""
    done: dict[LogicalType, Code] = {}
    for current in post_order(root, lambda part: part.children):
        done[current] = shorten(_data_type(current, done), "data_type")
    return done[root]


def _data_type(given: LogicalType, done: dict[LogicalType, Code]) -> Code:
    named = {} if given.nullable else {"nullable": constant("False", False)}
    match given:
        case t.NullType() | t.IntervalType() | t.CalendarIntervalType():
            made = invoke(_data_types("NULL")) if isinstance(given, t.NullType) else _interval_type(given)
            return made if given.nullable else method(made, "not_null")
        case t.DecimalType():
            return invoke(_data_types("DECIMAL"), *map(write_integer, (given.precision, given.scale)), **named)
        case t.CharType() | t.VarCharType():
            return invoke(_data_types(given.root), write_integer(given.length), **named)
        case t.StringType() if given.has_collation:
            return invoke(_data_types("STRING"), **named, collation=text(given.collation))
        case t.TimeType():
            return invoke(_data_types("TIME"), write_integer(given.precision), **named)
        case t.SpatialType():
            numbers = [] if given.srid is None else [write_integer(given.srid)]
            return invoke(_data_types(given.root), *numbers, **named)
        case t.ArrayType():
            return invoke(_data_types("ARRAY"), done[given.element], **named)
        case t.MapType():
            # MAP itself makes its key NOT NULL.
            key = data_type(given.key.as_nullable()) if not given.key.children else done[given.key]
            return invoke(_data_types("MAP"), key, done[given.value], **named)
        case t.RowType():
            return invoke(_data_types("ROW"), display_list([_field(field, done) for field in given.fields]), **named)
    return invoke(_data_types(given.root), **named)


def _field(field: t.RowField, done: dict[LogicalType, Code]) -> Code:
    description = [] if field.description is None else [text(field.description)]
    return invoke(_data_types("FIELD"), text(field.name), done[field.data_type], *description)


def _interval_type(given: t.IntervalType | t.CalendarIntervalType) -> Code:
    if isinstance(given, t.CalendarIntervalType):
        return invoke(_data_types("INTERVAL"))
    names = [given.start.name] if given.start is given.end else [given.start.name, given.end.name]
    return invoke(_data_types("INTERVAL"), *[invoke(_data_types(name)) for name in names])


def row_type(names: tuple[str, ...], types: tuple[LogicalType, ...], comments: tuple[str | None, ...]) -> Code:
    """Return the code of a row type with the given fields."""
    fields = [t.RowField(n, d, c) for n, d, c in zip(names, types, comments, strict=True)]
    return data_type(t.RowType(tuple(fields)))


# --- literals --------------------------------------------------------------------------------------------------------


def write_plain(literal: ValueLiteral) -> Code | None:
    """Return the Python value that the API converts to a literal, or None if there is no such value."""
    try:
        code = python_value(_convert_stored(literal))
        return code if fluent.unwrap(code.value) is literal else None
    except (ValidationException, TableException):
        return None


def _convert_stored(literal: ValueLiteral) -> object:
    """Return the Python value for the stored value of a literal."""
    value = literal.value
    if isinstance(literal.type_, t.DayTimeIntervalType) and value is not None:
        return dt.timedelta(microseconds=value)
    return value.isoformat() if isinstance(value, (FarDate, FarTimestamp, FineTime)) else value


def write_expression(literal: ValueLiteral) -> Code:
    """Return the code of a literal as an expression.

    Raises:
        TableException: the API cannot build the literal.
    """
    for candidate in _ways(literal):
        try:
            code = candidate()
        except (ValidationException, TypeError, OverflowError):
            continue
        if fluent.unwrap(code.value) is literal:
            return code
    raise TableException(
        f"The constant {literal.as_summary_string()} of type {literal.data_type.as_summary_string()} cannot be written "
        "with lit."
    )


def _ways(literal: ValueLiteral) -> Iterator[Callable[[], Code]]:
    lit, kind = function("lit"), literal.type_
    if literal.is_null:
        if not isinstance(kind, t.NullType):
            yield lambda: invoke(function("null_of"), data_type(kind))
        yield lambda: invoke(lit, python_value(None))
        return
    if isinstance(kind, t.IntervalType):
        for unit in _UNITS:
            yield lambda unit=unit: _write_in_units(literal, unit)  # type: ignore[misc]  # the default binds the loop's value
    value = _convert_stored(literal)
    yield lambda: invoke(lit, python_value(value))
    yield lambda: invoke(lit, python_value(value), data_type(kind.as_nullable()))


def unit_of(factor: ResolvedExpression) -> str | None:
    """Return the property that multiplies a number by an interval: ``days`` for one day."""
    if isinstance(factor, ValueLiteral) and isinstance(factor.type_, t.IntervalType):
        for unit in (*_UNITS, "weeks"):
            if fluent.unwrap(getattr(fluent.Expression(_ONE), unit)) is factor:
                return unit
    return None


def _write_in_units(literal: ValueLiteral, unit: str) -> Code:
    one = fluent.unwrap(getattr(fluent.Expression(_ONE), unit))
    assert isinstance(one, ValueLiteral)
    number, rest = divmod(literal.value, one.value)
    if rest or one.type_ is not literal.type_:
        raise ValidationException(f"{literal!r} is no number of {unit}.")
    name = unit.removesuffix("s") if number == 1 else unit
    return attribute(invoke(function("lit"), write_integer(number)), name)


def greatest_field(interval: ValueLiteral) -> IntervalField | None:
    """Return the greatest unit of which an interval is a whole multiple; year-month intervals have two units."""
    if isinstance(interval.type_, t.YearMonthIntervalType):
        return IntervalField.MONTH if interval.value % 12 else IntervalField.YEAR
    fields = (IntervalField.DAY, IntervalField.HOUR, IntervalField.MINUTE, IntervalField.SECOND)
    return next((field for field in fields if interval.value % MICROSECONDS[field] == 0), None)


def number_of_units(interval: ValueLiteral) -> Code:
    """Return an interval of any type as a number of its greatest unit."""
    field = greatest_field(interval)
    kind = t.YearMonthIntervalType if isinstance(interval.type_, t.YearMonthIntervalType) else t.DayTimeIntervalType
    assert field is not None, "fractions of a second are written with their type"
    return write_expression(ValueLiteral(interval.value, kind(field, field, nullable=False)))


_ONE = ValueLiteral(1, t.INT.not_null())


# --- values of cells -------------------------------------------------------------------------------------------------


def cell(value: ResolvedExpression) -> Code:
    """Return the Python value for a constant, or for an array, a map or a row of constants.

    Raises:
        TableException: there is no Python value for the expression.
    """
    done: dict[ResolvedExpression, Code] = {}
    for part in post_order(value, lambda e: e.children):
        if isinstance(part, ValueLiteral):
            done[part] = python_value(_convert_stored(part))
        elif isinstance(part, Call):
            done[part] = shorten(_write_nested(part, done), "value")
    if value not in done:
        raise TableException(f"{value.as_summary_string()} is no Python value.")
    return done[value]


def _write_nested(call: Call, done: dict[ResolvedExpression, Code]) -> Code:
    items = [done[argument] for argument in call.arguments if argument in done]
    if call.function is ARRAY:
        return display_list(items)
    if call.function is ROW:
        return display_tuple(items[1::2])
    if call.function is MAP:
        try:
            return display_dict(list(zip(items[::2], items[1::2], strict=True)))
        except TypeError:
            raise TableException(f"{call.as_summary_string()} is no dict: a list is no key of one.") from None
    if call.function is CAST and items:
        # A cast gives an empty collection its type, and a spatial value among several reference systems.
        return items[0]
    if call.function is ST_GEOMFROMWKB:
        return invoke(import_name("Geometry", "tableapi"), *items)
    if call.function is ST_GEOGFROMWKB:
        return invoke(import_name("Geography", "tableapi"), *items)
    if call.function is ST_SETSRID and isinstance(call.arguments[0], Call):
        return invoke(import_name("Geography", "tableapi"), done[call.arguments[0].arguments[0]], items[1])
    raise TableException(f"{call.as_summary_string()} is no Python value.")
