"""Messages for values that do not have the declared type: in SQL type names, and about the part that is wrong."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa

from tableapi.spark.runtime.columns import column_of_any
from tableapi.spark.runtime.row import Row

WRONG = (TypeError, ValueError, OverflowError, pa.ArrowException)
"""The errors that conversions raise for a value that does not have the type."""
_NAMES = {
    pa.bool_(): "BOOLEAN",
    pa.int8(): "TINYINT",
    pa.int16(): "SMALLINT",
    pa.int32(): "INT",
    pa.int64(): "BIGINT",
    pa.float32(): "FLOAT",
    pa.float64(): "DOUBLE",
    pa.string(): "STRING",
    pa.large_string(): "STRING",
    pa.binary(): "BYTES",
    pa.large_binary(): "BYTES",
    pa.date32(): "DATE",
    pa.null(): "NULL",
}
_MOST_CHARACTERS = 200


def sql_name(data_type: pa.DataType) -> str:
    """Return the SQL name of an Arrow type."""
    if pa.types.is_decimal(data_type):
        return f"DECIMAL({data_type.precision}, {data_type.scale})"
    if pa.types.is_timestamp(data_type):
        return "TIMESTAMP" if data_type.tz is None else "TIMESTAMP_LTZ"
    if pa.types.is_time(data_type):
        return "TIME"
    if pa.types.is_duration(data_type):
        return "INTERVAL DAY TO SECOND"
    if pa.types.is_list(data_type):
        return f"ARRAY<{sql_name(data_type.value_type)}>"
    if pa.types.is_map(data_type):
        return f"MAP<{sql_name(data_type.key_type)}, {sql_name(data_type.item_type)}>"
    if pa.types.is_struct(data_type):
        fields = [data_type.field(i) for i in range(data_type.num_fields)]
        return f"ROW<{', '.join(f'{_quote(field.name)} {sql_name(field.type)}' for field in fields)}>"
    return _NAMES.get(data_type, str(data_type))


def wrong_value(what: str, value: Any, data_type: pa.DataType, error: Exception) -> str:
    """Return the message for a value that does not have its type, with the reason from an error."""
    return f"{what} {_show(value)} is no value of its type {sql_name(data_type)}: {_explain(value, data_type, error)}"


def _explain(value: Any, data_type: pa.DataType, error: Exception) -> str:
    """Return the reason why a value does not have its type.

    For a nested value, name the part that is wrong, unless the error is already a message of this library.
    """
    part, of_type = _wrong_part(value, data_type)
    if part is not value:
        error = _error_of(part, of_type) or error
    is_told = not isinstance(error, (OverflowError, pa.ArrowException))
    is_out_of_range = pa.types.is_integer(of_type) and isinstance(part, int) and not isinstance(part, bool)
    if part is value:
        if is_told:
            return str(error)
        return "it is out of range" if is_out_of_range else f"it is of Python's type {type(part).__name__}"
    if is_out_of_range:
        return f"{_show(part)} is out of the range of {sql_name(of_type)}"
    if is_told and isinstance(error, ValueError):
        return f"{_show(part)} is no {sql_name(of_type)}: {error}"
    return f"{_show(part)} of Python's type {type(part).__name__} is no {sql_name(of_type)}"


def _quote(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def _show(value: Any) -> str:
    # Show a numpy scalar as a plain number.
    text = repr(value.item() if hasattr(value, "item") and not getattr(value, "shape", True) else value)
    return text if len(text) <= _MOST_CHARACTERS else text[:_MOST_CHARACTERS] + "…"


def _wrong_part(value: Any, data_type: pa.DataType) -> tuple[Any, pa.DataType]:
    for part, of_type in _parts(value, data_type):
        if _error_of(part, of_type) is not None:
            return _wrong_part(part, of_type)
    return value, data_type


def _error_of(value: Any, data_type: pa.DataType) -> Exception | None:
    try:
        column_of_any([value], data_type)
    except WRONG as error:
        return error
    return None


def _parts(value: Any, data_type: pa.DataType) -> Iterator[tuple[Any, pa.DataType]]:
    """Yield the parts of a value with their types."""
    if pa.types.is_list(data_type) and isinstance(value, (list, tuple)):
        for element in value:
            yield element, data_type.value_type
    elif pa.types.is_map(data_type) and isinstance(value, Mapping):
        for key, element in value.items():
            yield key, data_type.key_type
            yield element, data_type.item_type
    elif pa.types.is_struct(data_type):
        fields = [data_type.field(i) for i in range(data_type.num_fields)]
        if isinstance(value, Mapping):
            values: list[Any] = [value.get(field.name) for field in fields]
        elif dataclasses.is_dataclass(value) and not isinstance(value, type):
            values = [getattr(value, field.name) for field in dataclasses.fields(value)]
        elif isinstance(value, (tuple, list, Row)):
            values = list(value)
        else:
            values = [value] if len(fields) == 1 else []
        # If a row has the wrong length, no part of it is wrong.
        if len(values) == len(fields):
            for element, field in zip(values, fields, strict=True):
                yield element, field.type
