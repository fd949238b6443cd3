"""Convert values between Arrow and the Python of users: rows, maps, decimals, times.

A converter is a function of one value. It is None for the many types whose values need no conversion.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import decimal
import numbers
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pyarrow as pa

from tableapi.spark.runtime.row import Row

Converter = Callable[[Any], Any] | None


def from_arrow(data_type: pa.DataType, make_row: Callable[[Sequence[str], Sequence[Any]], Any]) -> Converter:
    """Return the converter from an Arrow value to an argument of a user function."""
    if pa.types.is_map(data_type):
        key, value = from_arrow(data_type.key_type, make_row), from_arrow(data_type.item_type, make_row)
        return _nullable(lambda given: {_apply(key, k): _apply(value, v) for k, v in given})
    if pa.types.is_list(data_type):
        element = from_arrow(data_type.value_type, make_row)
        return None if element is None else _nullable(lambda given: [_apply(element, e) for e in given])
    if pa.types.is_struct(data_type):
        fields = [data_type.field(i) for i in range(data_type.num_fields)]
        names = tuple([field.name for field in fields])
        inner = [(field.name, from_arrow(field.type, make_row)) for field in fields]
        return _nullable(lambda given: make_row(names, [_apply(convert, given[name]) for name, convert in inner]))
    return None


def to_arrow(data_type: pa.DataType) -> Converter:
    """Return the converter from the result of a user function to a value that Arrow takes.

    The converter raises TypeError or ValueError for a value that does not have the type.
    """
    if pa.types.is_map(data_type):
        key, value = to_arrow(data_type.key_type), to_arrow(data_type.item_type)
        return _nullable(lambda given: [(_apply(key, k), _apply(value, v)) for k, v in _entries(given)])
    if pa.types.is_list(data_type):
        element = to_arrow(data_type.value_type)
        return _nullable(lambda given: [_apply(element, e) for e in _elements(given)])
    if pa.types.is_struct(data_type):
        fields = [data_type.field(i) for i in range(data_type.num_fields)]
        names = [field.name for field in fields]
        converters = [to_arrow(field.type) for field in fields]

        def to_struct(given: Any) -> dict[str, Any]:
            values = _fields(given, names)
            return {n: _apply(c, v) for n, c, v in zip(names, converters, values, strict=True)}

        return _nullable(to_struct)
    if pa.types.is_decimal(data_type):
        return _nullable(_decimal(data_type.precision, data_type.scale))
    if pa.types.is_timestamp(data_type):
        return _nullable(_instant if data_type.tz is not None else _local)
    if pa.types.is_string(data_type):
        return _nullable(_text)
    if pa.types.is_integer(data_type):
        return _nullable(_convert_to_integer)
    if pa.types.is_date(data_type):
        return _nullable(_day)
    return next((_nullable(convert) for is_one, convert in _OF_CLASS if is_one(data_type)), None)


def _nullable(convert: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda given: None if given is None else convert(given)


def _apply(convert: Converter, given: Any) -> Any:
    return given if convert is None else convert(given)


def _entries(given: Any) -> Any:
    if not isinstance(given, Mapping):
        raise TypeError(f"a map is a dict, but {type(given).__name__} was returned")
    return given.items()


def _elements(given: Any) -> Any:
    if isinstance(given, (str, bytes, Mapping, Row)) or not hasattr(given, "__iter__"):
        raise TypeError(f"an array is a list, but {type(given).__name__} was returned")
    return given


def _fields(given: Any, names: Sequence[str]) -> Sequence[Any]:
    """Return the field values of a row: by name if it has names, otherwise by position."""
    if isinstance(given, Mapping):
        missing = [name for name in names if name not in given]
        if missing or len(given) != len(names):
            raise ValueError(f"a row of the fields {list(names)} is wanted, but a dict of {list(given)} was returned")
        return [given[name] for name in names]
    if dataclasses.is_dataclass(given) and not isinstance(given, type):
        given = tuple(getattr(given, field.name) for field in dataclasses.fields(given))
    if isinstance(given, Row):
        given = tuple(given)
    if not isinstance(given, (tuple, list)):
        if len(names) == 1:
            return [given]
        raise TypeError(f"a row of the fields {list(names)} is wanted, but {type(given).__name__} was returned")
    if len(given) != len(names):
        raise ValueError(
            f"a row of the {len(names)} fields {list(names)} is wanted, but one of {len(given)} was returned"
        )
    return given


def _decimal(precision: int, scale: int) -> Callable[[Any], decimal.Decimal]:
    unit = decimal.Decimal(1).scaleb(-scale)
    context = decimal.Context(prec=precision, rounding=decimal.ROUND_HALF_UP)

    def convert(given: Any) -> decimal.Decimal:
        if isinstance(given, bool) or not isinstance(given, (int, decimal.Decimal)):
            raise TypeError(f"a decimal is a Decimal or an int, but {type(given).__name__} was returned")
        try:
            return decimal.Decimal(given).quantize(unit, context=context)
        except decimal.InvalidOperation:
            raise ValueError(f"{given} does not fit into DECIMAL({precision}, {scale})") from None

    return convert


def _instant(given: Any) -> dt.datetime:
    if not isinstance(given, dt.datetime) or given.tzinfo is None:
        raise TypeError("a TIMESTAMP_LTZ is a datetime with a time zone (tzinfo)")
    return given


def _local(given: Any) -> dt.datetime:
    if not isinstance(given, dt.datetime) or given.tzinfo is not None:
        raise TypeError("a TIMESTAMP is a datetime without a time zone (tzinfo)")
    return given


def _text(given: Any) -> str:
    if not isinstance(given, str):
        raise TypeError(f"a STRING is a str, but {type(given).__name__} was returned")
    return given


def _convert_to_integer(given: Any) -> int:
    """Convert to an integer, also from a float or Decimal that is one: Arrow would drop fractions."""
    if type(given) is int:
        return given
    if type(given).__name__ not in _TRUTHS:
        if hasattr(given, "__index__"):
            return operator.index(given)
        if isinstance(given, (numbers.Real, decimal.Decimal)):
            if not _is_whole(given):
                raise ValueError("it is no whole number")
            return int(given)  # type: ignore[arg-type]  # Real declares no __int__, but every number has it
    raise TypeError(f"an integer is an int, but {type(given).__name__} was returned")


# This includes the type of numpy, which a worker may not have.
_TRUTHS = ("bool", "bool_")


def _is_whole(given: Any) -> bool:
    try:
        return bool(int(given) == given)
    except (OverflowError, ValueError):  # infinity, NaN
        return False


def _day(given: Any) -> dt.date:
    if isinstance(given, dt.datetime):
        # Converting to a date would lose the time of day.
        if given.tzinfo is not None or given.time() != dt.time():
            raise ValueError("a DATE is a date without a time of day")
        return given.date()
    if not isinstance(given, dt.date):
        raise TypeError(f"a DATE is a date, but {type(given).__name__} was returned")
    return given


def _require_class(name: str, *classes: type) -> Callable[[Any], Any]:
    """Return a converter that accepts only values of some classes; Arrow would also accept numbers or strings."""

    def convert(given: Any) -> Any:
        if not isinstance(given, classes):
            raise TypeError(f"{name}, but {type(given).__name__} was returned")
        return given

    return convert


_OF_CLASS: tuple[tuple[Callable[[pa.DataType], bool], Callable[[Any], Any]], ...] = (
    (pa.types.is_time, _require_class("a TIME is a time", dt.time)),
    (pa.types.is_duration, _require_class("an INTERVAL DAY TO SECOND is a timedelta", dt.timedelta)),
    (pa.types.is_binary, _require_class("BYTES are bytes", bytes, bytearray, memoryview)),
)
