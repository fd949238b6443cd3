"""Whole columns between Arrow and Python values: what is nested is taken apart and put together column by column.

To convert each value by itself costs several calls of Python for a value; this costs them for a batch. What values look
like is said by ``values``, whose converters are used where a type needs one.
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
    """Return the values of a column as a function is called with them."""
    data_type = column.type
    if pa.types.is_struct(data_type) and data_type.num_fields:
        names = tuple([data_type.field(i).name for i in range(data_type.num_fields)])
        # ``flatten`` says NULL in each field of a row that is NULL, and heeds where a slice begins.
        rows = zip(*[values_of(field, make_row) for field in column.flatten()], strict=True)
        made = [make_row(names, row) for row in rows]
        return _with_nulls(made, column)
    if pa.types.is_list(data_type) and not (_takes_lists_apart() and from_arrow(data_type, make_row) is None):
        # Those of the whole buffer between the first and the last value, to which the offsets refer.
        offsets = _plain_values(column.offsets)
        first = offsets[0] if offsets else 0
        values = values_of(column.values.slice(first, (offsets[-1] if offsets else 0) - first), make_row)
        found = [values[start - first : end - first] for start, end in itertools.pairwise(offsets)]
        return _with_nulls(found, column)
    convert = from_arrow(data_type, make_row)
    if convert is not None:
        return [convert(value) for value in column.to_pylist()]
    if len(column) > 1 and _is_numpys(column):
        return _plain_values(column)
    listed: list[Any] = column.to_pylist()
    return listed


def _takes_lists_apart() -> bool:
    """Whether this pyarrow itself takes a column of lists apart at once: that of the worker, where this is asked."""
    return int(pa.__version__.split(".")[0]) >= _TAKES_LISTS_APART


def _is_numpys(column: pa.Array) -> bool:
    """Whether numpy makes the same values of a column as Arrow."""
    data_type = column.type
    if pa.types.is_decimal(data_type):
        return True
    if pa.types.is_date32(data_type):
        return _is_within(column.view(pa.int32()), _DAYS)
    if pa.types.is_timestamp(data_type) and data_type.tz is None and data_type.unit == "us":
        return _is_within(column.view(pa.int64()), _MICROSECONDS)
    # Of integers with NULL, numpy would make floats.
    return column.null_count == 0 and any(is_one(data_type) for is_one in _PLAIN)


def _is_within(numbers: pa.Array, bounds: tuple[int, int]) -> bool:
    """Whether all times are such that Python has them; of others, numpy would make numbers."""
    found = _compute.min_max(numbers).as_py()
    return found["min"] is None or bool(bounds[0] <= found["min"] and found["max"] <= bounds[1])


def _plain_values(column: pa.Array) -> list[Any]:
    """Return values by way of numpy, which is an order of magnitude faster, where a worker has it."""
    found: list[Any]
    try:
        found = column.to_numpy(zero_copy_only=False).tolist()
    except ImportError:
        if pa.types.is_timestamp(column.type):
            # Faster than what Arrow does for each time.
            numbers = column.view(pa.int64()).to_pylist()
            return [None if number is None else _EPOCH + dt.timedelta(0, 0, number) for number in numbers]
        found = column.to_pylist()
    return found


def _with_nulls(values: list[Any], column: pa.Array) -> list[Any]:
    if column.null_count == 0:
        return values
    valid = column.is_valid().to_pylist()
    return [value if is_valid else None for value, is_valid in zip(values, valid, strict=True)]


def column_of(values: Sequence[Any], data_type: pa.DataType) -> pa.Array:
    """Return a column of values that a function returned.

    Raises:
        TypeError, ValueError, pa.ArrowException: one is no value of the type; which, nothing says.
    """
    if pa.types.is_string(data_type) and (texts := _texts(values)) is not None:
        return texts
    if pa.types.is_struct(data_type) and data_type.num_fields:
        return _struct(values, data_type)
    if pa.types.is_list(data_type) and set(map(type, values)) <= _LISTS:
        if pa.types.is_integer(data_type.value_type):
            return _list(values, data_type)
        # Arrow takes lists of other plain values, and of texts, as they are.
        is_plain = any(is_one(data_type.value_type) for is_one in _PLAIN)
        return pa.array(values, data_type) if is_plain or _of_texts(values, data_type) else _list(values, data_type)
    if pa.types.is_map(data_type) and set(map(type, values)) <= _MAPS:
        return _map(values, data_type)
    if pa.types.is_integer(data_type):
        return _integers(values, data_type)
    exact = next((classes for is_one, classes in _EXACT if is_one(data_type)), None)
    if exact is not None and set(map(type, values)) <= exact:
        return pa.array(values, data_type)
    convert = to_arrow(data_type)
    return pa.array(values if convert is None else [convert(value) for value in values], data_type)


def _inferred(values: Sequence[Any]) -> pa.Array | None:
    """Return a column of the type that values have for Arrow, None where they have none in common.

    With a type it would take bytes for texts, and numbers for others. It sees what values are faster than Python does.
    """
    try:
        return pa.array(values)
    except (TypeError, ValueError, OverflowError, pa.ArrowException):
        return None


def _texts(values: Sequence[Any]) -> pa.Array | None:
    """Return a column of texts, None where not all values are such."""
    made = _inferred(values)
    return made if made is not None and pa.types.is_string(made.type) else None


def _integers(values: Sequence[Any], data_type: pa.DataType) -> pa.Array:
    """Return a column of whole numbers, of which Arrow would make other numbers by cutting fractions off."""
    # A look at the types takes half the time that Arrow's takes, and a list of them less than a set.
    if list(map(type, values)).count(int) == len(values):
        # Twice as fast as Arrow; it raises OverflowError, too.
        found = array.array(_CODES[data_type], values)
        return pa.Array.from_buffers(data_type, len(found), [None, pa.py_buffer(found)])
    made = _inferred(values)
    if made is not None and (pa.types.is_integer(made.type) or pa.types.is_null(made.type)):
        return made if made.type == data_type else made.cast(data_type)
    convert = to_arrow(data_type)
    return pa.array(values if convert is None else [convert(value) for value in values], data_type)


_CODES = {pa.int8(): "b", pa.int16(): "h", pa.int32(): "i", pa.int64(): "q"}


def _of_texts(values: Sequence[Any], data_type: pa.ListType) -> bool:
    if not pa.types.is_string(data_type.value_type):
        return False
    elements = itertools.chain.from_iterable([value for value in values if value is not None])
    return set(map(type, elements)) <= _TEXTS


_TEXTS = {str, type(None)}
_LISTS = {list, tuple, type(None)}
_MAPS = {dict, type(None)}
# The classes of values that Arrow takes as they are; of others, some are numbers for it.
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
    columns = _transposed(rows, count)
    if columns is None:
        wrong = next(length for length in map(len, rows) if length != count)
        names = [field.name for field in fields]
        raise ValueError(f"a row of the {count} fields {names} is wanted, but one of {wrong} was returned")
    children = [column_of(column, field.type) for column, field in zip(columns, fields, strict=True)]
    return pa.StructArray.from_arrays(children, fields=fields, mask=is_null)


def _transposed(rows: Sequence[Sequence[Any]], count: int) -> Sequence[Sequence[Any]] | None:
    """Return the columns of rows, None where not all rows have as many values."""
    if not rows:
        return [()] * count
    if set(map(len, rows)) != {count}:
        return None
    # Faster than ``zip``, which would take each row for a sequence of its own.
    return [list(map(operator.itemgetter(i), rows)) for i in range(count)]


def _rows(values: Sequence[Any]) -> Sequence[Any] | None:
    """Return rows as tuples where all are of one kind and none is NULL, which takes no step of Python for each."""
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
    """Return the fields of a row in order; a dict, or a single value, is left to the converter of each value."""
    if value is None or isinstance(value, (tuple, list)):
        return value
    if isinstance(value, Row):
        return tuple(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return [getattr(value, field.name) for field in dataclasses.fields(value)]
    raise _ByValue


class _ByValue(Exception):
    """A column has values that are converted one by one."""


def _list(values: Sequence[Any], data_type: pa.ListType) -> pa.Array:
    flat = list(itertools.chain.from_iterable([value for value in values if value is not None]))
    return pa.ListArray.from_arrays(_offsets(values), column_of(flat, data_type.value_type), type=data_type)


def _map(values: Sequence[Any], data_type: pa.MapType) -> pa.Array:
    given = [value for value in values if value is not None]
    keys = column_of(list(itertools.chain.from_iterable(given)), data_type.key_type)
    items = column_of(list(itertools.chain.from_iterable([value.values() for value in given])), data_type.item_type)
    return pa.MapArray.from_arrays(_offsets(values), keys, items, type=data_type)


def _offsets(values: Sequence[Any]) -> pa.Array:
    """Return where each of values that have elements begins among all elements; NULL where one is None."""
    lengths = [0 if value is None else len(value) for value in values]
    offsets: list[int | None] = list(itertools.accumulate(lengths, initial=0))
    for position, value in enumerate(values):
        if value is None:
            offsets[position] = None
    return pa.array(offsets, pa.int32())


def column_of_any(values: Sequence[Any], data_type: pa.DataType) -> pa.Array:
    """Return a column of values that a function returned, however it writes its rows.

    Raises:
        TypeError: a value is none of the type.
        ValueError: a value is none of the type; or a field or an element is None whose type is NOT NULL.
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
    """Refuse NULL for a field or an element that is NOT NULL: Spark would read whatever stands there."""
    waiting = [column]
    while waiting:
        current = waiting.pop()
        data_type = current.type
        if pa.types.is_struct(data_type):
            # Fields of a row that is NULL itself are none.
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
    """Return a column as one of a type, in which its values are the same.

    Raises:
        TypeError: values of its type are none of the other.
        ValueError, pa.ArrowException: one of its values is none.
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
        # Arrow wants a type that has every integer.
        column = column.cast(pa.decimal128(_MOST_DIGITS, 0))
    made = column.cast(data_type)
    # Arrow cuts times of day off.
    if pa.types.is_date(data_type) and pa.types.is_timestamp(column.type) and not made.cast(column.type).equals(column):
        raise ValueError("a DATE is a date without a time of day")
    return made


def _has(given: pa.DataType, wanted: pa.DataType) -> bool:
    """Whether a type has values of another one, so that Arrow neither reads text nor takes numbers for other things."""
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
