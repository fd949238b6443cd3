"""Convert whole columns between Arrow and Python values, nested types column by column.

Converting each value separately costs several Python calls per value; these conversions cost them per batch. The module
``values`` defines the Python form of values, and its converters are used for types that need one.
"""

from __future__ import annotations

import array
import dataclasses
import datetime as dt
import itertools
import operator
from collections.abc import Callable, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from tableapi.spark.runtime.row import Row
from tableapi.spark.runtime.values import from_arrow, to_arrow

MakeRow = Callable[[Sequence[str], Sequence[Any]], Any]
# Source: https://github.com/apache/arrow/issues/50326
_TAKES_LISTS_APART = 26
_compute: Any = pc
_EPOCH = dt.datetime(1970, 1, 1)
_DAYS = ((dt.date.min - _EPOCH.date()).days, (dt.date.max - _EPOCH.date()).days)
_MICROSECONDS = (
    (dt.datetime.min - _EPOCH) // dt.timedelta(microseconds=1),
    (dt.datetime.max - _EPOCH) // dt.timedelta(microseconds=1),
)
_MOST_DIGITS = 20
_VALUES_OF_ROW = operator.attrgetter("_values")
_PLAIN = (pa.types.is_integer, pa.types.is_floating, pa.types.is_boolean)


def values_of(column: pa.Array, make_row: MakeRow) -> list[Any]:
    """Return the values of a column in the form that functions take."""
    data_type = column.type
    if pa.types.is_struct(data_type) and data_type.num_fields:
        names = tuple([data_type.field(i).name for i in range(data_type.num_fields)])
        # ``flatten`` propagates the NULL of a row to its fields, and respects the offset of a slice.
        rows = zip(*[values_of(field, make_row) for field in column.flatten()], strict=True)
        made = [make_row(names, row) for row in rows]
        return _restore_nulls(made, column)
    if pa.types.is_list(data_type) and not (_takes_lists_apart() and from_arrow(data_type, make_row) is None):
        # The values of the whole buffer between the first and the last offset, to which the offsets refer.
        offsets = _convert_plain_values(column.offsets)
        first = offsets[0] if offsets else 0
        values = values_of(column.values.slice(first, (offsets[-1] if offsets else 0) - first), make_row)
        found = [values[start - first : end - first] for start, end in itertools.pairwise(offsets)]
        return _restore_nulls(found, column)
    convert = from_arrow(data_type, make_row)
    if convert is not None:
        return [convert(value) for value in column.to_pylist()]
    if len(column) > 1 and _is_numpys(column):
        return _convert_plain_values(column)
    listed: list[Any] = column.to_pylist()
    return listed


def _takes_lists_apart() -> bool:
    """Whether the worker's pyarrow converts columns of lists efficiently."""
    return int(pa.__version__.split(".")[0]) >= _TAKES_LISTS_APART


def _is_numpys(column: pa.Array) -> bool:
    """Whether numpy converts a column to the same Python values as Arrow."""
    data_type = column.type
    if pa.types.is_decimal(data_type):
        return True
    if pa.types.is_date32(data_type):
        return _is_within(column.view(pa.int32()), _DAYS)
    if pa.types.is_timestamp(data_type) and data_type.tz is None and data_type.unit == "us":
        return _is_within(column.view(pa.int64()), _MICROSECONDS)
    # From integers with NULL, numpy would make floats.
    return column.null_count == 0 and any(is_one(data_type) for is_one in _PLAIN)


def _is_within(numbers: pa.Array, bounds: tuple[int, int]) -> bool:
    """Whether Python can represent all times; numpy would return numbers for others."""
    found = _compute.min_max(numbers).as_py()
    return found["min"] is None or bool(bounds[0] <= found["min"] and found["max"] <= bounds[1])


def _convert_plain_values(column: pa.Array) -> list[Any]:
    """Convert values with numpy if the worker has it, which is an order of magnitude faster."""
    found: list[Any]
    try:
        found = column.to_numpy(zero_copy_only=False).tolist()
    except ImportError:
        if pa.types.is_timestamp(column.type):
            # Faster than Arrow's conversion of each time.
            numbers = column.view(pa.int64()).to_pylist()
            return [None if number is None else _EPOCH + dt.timedelta(0, 0, number) for number in numbers]
        found = column.to_pylist()
    return found


def _restore_nulls(values: list[Any], column: pa.Array) -> list[Any]:
    if column.null_count == 0:
        return values
    valid = column.is_valid().to_pylist()
    return [value if is_valid else None for value, is_valid in zip(values, valid, strict=True)]


def column_of(values: Sequence[Any], data_type: pa.DataType) -> pa.Array:
    """Build a column from values that a function returned.

    Raises:
        TypeError, ValueError, pa.ArrowException: a value does not have the type; the error does not say which.
    """
    if pa.types.is_string(data_type) and (texts := _texts(values)) is not None:
        return texts
    if pa.types.is_struct(data_type) and data_type.num_fields:
        return _struct(values, data_type)
    if pa.types.is_list(data_type) and set(map(type, values)) <= _LISTS:
        if pa.types.is_integer(data_type.value_type):
            return _list(values, data_type)
        # Arrow takes lists of other plain types, and of strings, as they are.
        is_plain = any(is_one(data_type.value_type) for is_one in _PLAIN)
        return pa.array(values, data_type) if is_plain or _are_texts(values, data_type) else _list(values, data_type)
    if pa.types.is_map(data_type) and set(map(type, values)) <= _MAPS:
        return _map(values, data_type)
    if pa.types.is_integer(data_type):
        return _integers(values, data_type)
    exact = next((classes for is_one, classes in _EXACT if is_one(data_type)), None)
    if exact is not None and set(map(type, values)) <= exact:
        return pa.array(values, data_type)
    convert = to_arrow(data_type)
    return pa.array(values if convert is None else [convert(value) for value in values], data_type)


def _infer_column(values: Sequence[Any]) -> pa.Array | None:
    """Build a column of the type that Arrow infers from values; None if they have no common type.

    With a given type, Arrow would accept bytes as strings, and numbers for other types. It inspects values faster than
    Python.
    """
    try:
        return pa.array(values)
    except (TypeError, ValueError, OverflowError, pa.ArrowException):
        return None


def _texts(values: Sequence[Any]) -> pa.Array | None:
    """Build a column of strings; None if not all values are strings."""
    made = _infer_column(values)
    return made if made is not None and pa.types.is_string(made.type) else None


def _integers(values: Sequence[Any], data_type: pa.DataType) -> pa.Array:
    """Build a column of integers; Arrow would accept other numbers and drop their fractions."""
    # Checking the types takes half the time of Arrow's inference, and a list of them is faster than a set.
    if list(map(type, values)).count(int) == len(values):
        # Twice as fast as Arrow. It raises OverflowError, too.
        found = array.array(_CODES[data_type], values)
        return pa.Array.from_buffers(data_type, len(found), [None, pa.py_buffer(found)])
    made = _infer_column(values)
    if made is not None and (pa.types.is_integer(made.type) or pa.types.is_null(made.type)):
        return made if made.type == data_type else made.cast(data_type)
    convert = to_arrow(data_type)
    return pa.array(values if convert is None else [convert(value) for value in values], data_type)


_CODES = {pa.int8(): "b", pa.int16(): "h", pa.int32(): "i", pa.int64(): "q"}


def _are_texts(values: Sequence[Any], data_type: pa.ListType) -> bool:
    if not pa.types.is_string(data_type.value_type):
        return False
    elements = itertools.chain.from_iterable([value for value in values if value is not None])
    return set(map(type, elements)) <= _TEXTS


_TEXTS = {str, type(None)}
_LISTS = {list, tuple, type(None)}
_MAPS = {dict, type(None)}
# The classes of values that Arrow takes as they are. Arrow would also accept numbers for these types.
_EXACT: tuple[tuple[Callable[[pa.DataType], bool], set[type]], ...] = (
    (pa.types.is_date, {dt.date, type(None)}),
    (pa.types.is_time, {dt.time, type(None)}),
    (pa.types.is_duration, {dt.timedelta, type(None)}),
    (pa.types.is_binary, {bytes, type(None)}),
)


def _struct(values: Sequence[Any], data_type: pa.StructType) -> pa.Array:
    count = data_type.num_fields
    fields = [data_type.field(i) for i in range(count)]
    rows = _rows(values)
    is_null = None
    if rows is None:
        several = [value if type(value) is tuple else _fields(value) for value in values]
        nulls = [row is None for row in several]
        empty = (None,) * count
        rows = [empty if row is None else row for row in several]
        is_null = pa.array(nulls, pa.bool_())
    columns = _transpose(rows, count)
    if columns is None:
        wrong = next(length for length in map(len, rows) if length != count)
        names = [field.name for field in fields]
        raise ValueError(f"a row of the {count} fields {names} is wanted, but one of {wrong} was returned")
    children = [column_of(column, field.type) for column, field in zip(columns, fields, strict=True)]
    return pa.StructArray.from_arrays(children, fields=fields, mask=is_null)


def _transpose(rows: Sequence[Sequence[Any]], count: int) -> Sequence[Sequence[Any]] | None:
    """Return the columns of rows; None if the rows do not all have ``count`` values."""
    if not rows:
        return [()] * count
    if set(map(len, rows)) != {count}:
        return None
    # Faster than ``zip``, which would take each row as an argument.
    return [list(map(operator.itemgetter(i), rows)) for i in range(count)]


def _rows(values: Sequence[Any]) -> Sequence[Any] | None:
    """Return rows as tuples if all have the same class and none is NULL, without a Python step per row."""
    kinds = set(map(type, values))
    kind = kinds.pop() if len(kinds) == 1 else None
    if kind is Row:
        return list(map(_VALUES_OF_ROW, values))
    if kind is not None and issubclass(kind, tuple):
        return values
    if kind is not None and dataclasses.is_dataclass(kind):
        names = [field.name for field in dataclasses.fields(kind)]
        if len(names) > 1:
            return list(map(operator.attrgetter(*names), values))
    return None


def _fields(value: Any) -> Sequence[Any] | None:
    """Return the fields of a row in order; raise for a dict or a single value, which is converted by itself."""
    if value is None or isinstance(value, (tuple, list)):
        return value
    if isinstance(value, Row):
        return tuple(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return [getattr(value, field.name) for field in dataclasses.fields(value)]
    raise _ByValue


class _ByValue(Exception):
    """Raised if the values of a column have to be converted one by one."""


def _list(values: Sequence[Any], data_type: pa.ListType) -> pa.Array:
    flat = list(itertools.chain.from_iterable([value for value in values if value is not None]))
    return pa.ListArray.from_arrays(_offsets(values), column_of(flat, data_type.value_type), type=data_type)


def _map(values: Sequence[Any], data_type: pa.MapType) -> pa.Array:
    given = [value for value in values if value is not None]
    keys = column_of(list(itertools.chain.from_iterable(given)), data_type.key_type)
    items = column_of(list(itertools.chain.from_iterable([value.values() for value in given])), data_type.item_type)
    return pa.MapArray.from_arrays(_offsets(values), keys, items, type=data_type)


def _offsets(values: Sequence[Any]) -> pa.Array:
    """Return the offsets of collections in the concatenation of their elements; NULL for None."""
    lengths = [0 if value is None else len(value) for value in values]
    offsets: list[int | None] = list(itertools.accumulate(lengths, initial=0))
    for position, value in enumerate(values):
        if value is None:
            offsets[position] = None
    return pa.array(offsets, pa.int32())


def column_of_any(values: Sequence[Any], data_type: pa.DataType) -> pa.Array:
    """Build a column from values that a function returned, with rows in any supported form.

    Raises:
        TypeError: a value does not have the type.
        ValueError: a value does not have the type, or a NOT NULL field or element is None.
    """
    try:
        made = column_of(values, data_type)
    except _ByValue:
        convert = to_arrow(data_type)
        made = pa.array(values if convert is None else [convert(value) for value in values], data_type)
    if made.type.num_fields:
        _refuse_missing_parts(made)
    return made


def _refuse_missing_parts(column: pa.Array) -> None:
    """Check that no NOT NULL field or element is NULL: Spark would read undefined values there."""
    waiting = [column]
    while waiting:
        current = waiting.pop()
        data_type = current.type
        if pa.types.is_struct(data_type):
            # Ignore the fields of rows that are NULL themselves.
            rows = current.drop_null() if current.null_count else current
            parts = [
                (data_type.field(i), rows.field(i), f"the field {data_type.field(i).name}")
                for i in range(data_type.num_fields)
            ]
        elif pa.types.is_map(data_type):
            entries = current.drop_null() if current.null_count else current
            parts = [(data_type.item_field, entries.items, "a value of the map")]
        elif pa.types.is_list(data_type):
            parts = [(data_type.value_field, current.flatten(), "an element")]
        else:
            continue
        for declared, part, what in parts:
            if part.null_count and not declared.nullable:
                raise ValueError(f"{what} is None, but its type is NOT NULL")
            if part.type.num_fields:
                waiting.append(part)


# --- columns that a function returned whole --------------------------------------------------------------------------


def column_as(column: pa.Array, data_type: pa.DataType) -> pa.Array:
    """Cast a column to a type that has the same values.

    Raises:
        TypeError: the two types have different values.
        ValueError, pa.ArrowException: a value of the column does not exist in the type.
    """
    if column.type == data_type:
        return column
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if not _has(column.type, data_type):
        if pa.types.is_timestamp(column.type) and pa.types.is_timestamp(data_type):
            local = "a TIMESTAMP is a time without a time zone"
            raise TypeError(local if data_type.tz is None else "a TIMESTAMP_LTZ is a time with a time zone")
        raise TypeError("such values are none of it; cast them")
    if pa.types.is_integer(column.type) and pa.types.is_decimal(data_type):
        # Arrow requires a decimal type that can hold every integer.
        column = column.cast(pa.decimal128(_MOST_DIGITS, 0))
    made = column.cast(data_type)
    # Arrow drops times of day without an error.
    if pa.types.is_date(data_type) and pa.types.is_timestamp(column.type) and not made.cast(column.type).equals(column):
        raise ValueError("a DATE is a date without a time of day")
    return made


def _has(given: pa.DataType, wanted: pa.DataType) -> bool:
    """Whether two types share their values, so that a cast neither parses strings nor reinterprets numbers."""
    if pa.types.is_null(given):
        return True
    if pa.types.is_timestamp(given) and pa.types.is_timestamp(wanted):
        return (given.tz is None) == (wanted.tz is None)
    if _is_list(given) and _is_list(wanted):
        return _has(given.value_type, wanted.value_type)
    if pa.types.is_map(given) and pa.types.is_map(wanted):
        return _has(given.key_type, wanted.key_type) and _has(given.item_type, wanted.item_type)
    if pa.types.is_struct(given) and pa.types.is_struct(wanted):
        fields = [(given.field(i), wanted.field(i)) for i in range(min(given.num_fields, wanted.num_fields))]
        return all(_has(one.type, other.type) for one, other in fields)
    return any(of_given(given) and of_wanted(wanted) for of_given, of_wanted in _SAME_VALUES)


def _is_list(data_type: pa.DataType) -> bool:
    return bool(
        pa.types.is_list(data_type) or pa.types.is_large_list(data_type) or pa.types.is_fixed_size_list(data_type)
    )


def _is_text(data_type: pa.DataType) -> bool:
    return bool(
        pa.types.is_string(data_type) or pa.types.is_large_string(data_type) or pa.types.is_string_view(data_type)
    )


def _is_bytes(data_type: pa.DataType) -> bool:
    return bool(
        pa.types.is_binary(data_type)
        or pa.types.is_large_binary(data_type)
        or pa.types.is_fixed_size_binary(data_type)
        or pa.types.is_binary_view(data_type)
    )


def _is_number(data_type: pa.DataType) -> bool:
    return bool(pa.types.is_integer(data_type) or pa.types.is_floating(data_type))


def _is_local(data_type: pa.DataType) -> bool:
    return bool(pa.types.is_timestamp(data_type) and data_type.tz is None)


def _is_exact_number(data_type: pa.DataType) -> bool:
    return bool(pa.types.is_integer(data_type) or pa.types.is_decimal(data_type))


_SAME_VALUES: tuple[tuple[Callable[[pa.DataType], bool], Callable[[pa.DataType], bool]], ...] = (
    (_is_number, _is_number),
    (_is_exact_number, pa.types.is_decimal),
    (pa.types.is_decimal, _is_number),
    (pa.types.is_boolean, pa.types.is_boolean),
    (_is_text, _is_text),
    (_is_bytes, _is_bytes),
    (pa.types.is_date, pa.types.is_date),
    (_is_local, pa.types.is_date),
    (pa.types.is_date, _is_local),
    (pa.types.is_time, pa.types.is_time),
    (pa.types.is_duration, pa.types.is_duration),
)
