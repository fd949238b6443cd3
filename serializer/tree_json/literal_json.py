"""Values of literals as JSON, exact for every type."""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from ir import light_attrs as attrs
from ir import types as t
from ir.errors import TableException, ValidationException
from ir.far_dates import FarDate, FarTimestamp
from ir.fine_times import FineTime
from ir.literal_values import convert_to_stored
from serializer.tree_json.mistakes import Mistake, unexpected

Json = Any
_SPECIAL = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
_WHOLE = r"-?(0|[1-9][0-9]*)"
_NUMBER = rf"{_WHOLE}(\.[0-9]+)?([eE][+-]?[0-9]+)?"
_DATE = r"[+-]?[0-9]{4,7}-[0-9]{2}-[0-9]{2}"
_TIME = r"[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?"


@attrs.frozen
class _Form:
    """The JSON of the values of a type.

    Attributes:
        describe: a description of a value, for messages and for the schema.
        write: returns the JSON of a value.
        read: returns the value, not yet checked against the type.
        pattern: the regular expression of a string; None for a number or a boolean.
        json_type: the JSON type.
    """

    describe: str
    write: Callable[[Any], Json]
    read: Callable[[Any], Any]
    pattern: str | None = None
    json_type: str = "string"


def _write_decimal(value: Decimal) -> str:
    plain = f"{value:f}"
    return plain if Decimal(plain).as_tuple() == value.as_tuple() else str(value)


def _write_float(value: float) -> str:
    if math.isfinite(value):
        return repr(value)
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def _read_float(text: str) -> float:
    return _SPECIAL[text] if text in _SPECIAL else float(text)


def _write_moment(value: dt.datetime | FarTimestamp) -> str:
    return value.isoformat().replace(" ", "T").replace("+00:00", "Z")


def _keep(value: Any) -> Any:
    return value


_BOOLEAN = _Form("true or false", _keep, _keep, json_type="boolean")
_SMALL = _Form("a whole number", _keep, _keep, json_type="integer")
_BIG = _Form("a whole number in a string, since a JSON number may lose digits", str, int, _WHOLE)
_MONTHS = _Form("a whole number of months", _keep, _keep, json_type="integer")
_MICROSECONDS = _Form("a whole number of microseconds in a string", str, int, _WHOLE)
_DECIMAL = _Form("a decimal number in a string, with the digits of the scale", _write_decimal, Decimal, _NUMBER)
_FLOAT = _Form(
    "a number in a string, or 'NaN', 'Infinity' or '-Infinity'",
    _write_float,
    _read_float,
    rf"{_NUMBER}|NaN|-?Infinity",
)
_TEXT = _Form("a string", _keep, _keep, r"[\s\S]*")
_BYTES = _Form("a string of hexadecimal digits, two for each byte", bytes.hex, bytes.fromhex, "([0-9a-f]{2})*")
_DAY = _Form("a date like '2024-02-29' or '+10000-02-29'", lambda value: value.isoformat(), _keep, _DATE)
_CLOCK = _Form("a time of day like '12:30:00.5'", lambda value: value.isoformat(), _keep, _TIME)
_LOCAL = _Form("a timestamp like '2024-02-29T12:30:00.5'", _write_moment, _keep, f"{_DATE}T{_TIME}")
_INSTANT = _Form("a timestamp in UTC like '2024-02-29T12:30:00.5Z'", _write_moment, _keep, f"{_DATE}T{_TIME}Z")

# For each type the class of its values, and their form.
_FORMS: dict[type[t.LogicalType], tuple[tuple[type, ...], _Form]] = {
    t.BooleanType: ((bool,), _BOOLEAN),
    t.TinyIntType: ((int,), _SMALL),
    t.SmallIntType: ((int,), _SMALL),
    t.IntType: ((int,), _SMALL),
    t.BigIntType: ((int,), _BIG),
    t.FloatType: ((float,), _FLOAT),
    t.DoubleType: ((float,), _FLOAT),
    t.DecimalType: ((Decimal,), _DECIMAL),
    t.CharType: ((str,), _TEXT),
    t.VarCharType: ((str,), _TEXT),
    t.StringType: ((str,), _TEXT),
    t.BytesType: ((bytes,), _BYTES),
    t.DateType: ((dt.date, FarDate), _DAY),
    t.TimeType: ((dt.time, FineTime), _CLOCK),
    t.TimestampType: ((dt.datetime, FarTimestamp), _LOCAL),
    t.LocalZonedTimestampType: ((dt.datetime, FarTimestamp), _INSTANT),
    t.YearMonthIntervalType: ((int,), _MONTHS),
    t.DayTimeIntervalType: ((int,), _MICROSECONDS),
}


def literal_forms() -> dict[str, tuple[str, str, str | None]]:
    """Return, by the name of each type with literals, the description, JSON type and pattern of its values."""
    return {cls.root: (form.describe, form.json_type, form.pattern) for cls, (_, form) in _FORMS.items()}


def write_value(value: Any, data_type: t.LogicalType) -> Json:
    """Return the value of a literal as JSON.

    Raises:
        TableException: the type has no literals of the value's class.
    """
    if value is None:
        return None
    classes, form = _FORMS.get(type(data_type), ((), _TEXT))
    if type(value) not in classes:
        raise TableException(
            f"A literal of type {data_type.as_summary_string()} with a value of the class {type(value).__name__} "
            "cannot be stored as JSON."
        )
    return form.write(value)


def read_value(given: Json, data_type: t.LogicalType) -> Any:
    """Return the value of a literal from JSON.

    Raises:
        Mistake: the JSON does not represent a value of the type.
    """
    if given is None:
        return None
    name = data_type.as_nullable().as_summary_string()
    if type(data_type) not in _FORMS:
        raise Mistake(f"{name} has no literals but null.")
    _, form = _FORMS[type(data_type)]
    accepted = f"{form.describe[0].upper()}{form.describe[1:]}"
    json_class = {"string": str, "integer": int, "boolean": bool}[form.json_type]
    fits = type(given) is json_class and (form.pattern is None or re.fullmatch(form.pattern, str(given)) is not None)
    if not fits:
        raise unexpected(f"{accepted}, for a value of {name},", given)
    try:
        value = form.read(given)
        return _check(value, data_type)
    except (ValidationException, ValueError, ArithmeticError) as error:
        raise Mistake(str(error)) from None


def _check(value: Any, data_type: t.LogicalType) -> Any:
    """Return the value as a literal of the type stores it, after a check that the type can hold it."""
    if isinstance(data_type, t.DayTimeIntervalType):
        return convert_to_stored(dt.timedelta(microseconds=value), data_type)
    return convert_to_stored(value, data_type)
