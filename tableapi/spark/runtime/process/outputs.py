"""Collect the rows that a function yields, and convert them to Arrow batches."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import Any

import pyarrow as pa

from tableapi.spark.runtime.columns import column_of_any
from tableapi.spark.runtime.process.declarations import ListView, MapView, StateRow
from tableapi.spark.runtime.process.rows import TableRow
from tableapi.spark.runtime.row import Row, RowKind
from tableapi.spark.runtime.wrong_values import WRONG, wrong_value

_INSERT = RowKind.INSERT.name
# The number of rows in a batch; Spark reads batches up to this size.
BATCH = 10_000


class NoSuchRow(Exception):
    """A yielded row does not have the output type; ``position`` is its position in the batch."""

    def __init__(self, position: int, message: str) -> None:
        super().__init__(message)
        self.position = position


class Converters(dict[type, Callable[[Any], tuple[Any, ...]]]):
    """Converters of yielded objects to rows by class, built when the first object of a class is yielded."""

    def __init__(self, make: Callable[[type], Callable[[Any], tuple[Any, ...]]]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, cls: type) -> Callable[[Any], tuple[Any, ...]]:
        made = self[cls] = self._make(cls)
        return made


class Outputs:
    """Builds batches from the rows that a function yields.

    Args:
        schema: the columns of the output: forwarded columns, columns of the function, and the time.
        forwarded: the number of forwarded columns.
        has_rowtime: whether the last column is the time.
        is_atomic: whether the function yields the values of its only column instead of rows.
        changes: the names of the kinds of rows that the function may yield; the kind of a row is then the first column
            of the function. Empty if there is no such column, and all rows are insertions.
    """

    def __init__(
        self, schema: pa.Schema, forwarded: int, has_rowtime: bool, is_atomic: bool, changes: Sequence[str] = ()
    ) -> None:
        fields = list(schema)
        self._schema = schema
        self._fields = fields[forwarded : len(fields) - 1] if has_rowtime else fields[forwarded:]
        self._has_rowtime = has_rowtime
        self._is_atomic = is_atomic
        self._changes = changes
        # The columns whose values the function yields.
        own = self._fields[1:] if changes else self._fields
        self._names = [field.name for field in own]
        self._is_flat = not any(pa.types.is_nested(field.type) for field in own)
        # Tuples of this length are rows as they are. -1 if values need copies because they can change, or may be rows.
        self.width = len(own) if self._is_flat and not is_atomic and not changes else -1
        self.convert = Converters(self._converter)

    def _converter(self, cls: type) -> Callable[[Any], tuple[Any, ...]]:
        """Return the converter of objects of a class to tuples, which later changes by the function do not affect.

        It raises TypeError or ValueError for an object that is not an output row.
        """
        convert = self._converter_of_values(cls)
        if issubclass(cls, Row):
            return _with_kind(convert, self._changes) if self._changes else _without_kind(convert)
        # The rows of an input have a class for each kind.
        kind = cls.get_row_kind(None).name if issubclass(cls, TableRow) else _INSERT
        if not self._changes and kind == _INSERT:
            return convert
        if kind not in self._changes:
            return _with_kind(convert, self._changes) if self._changes else _without_kind(convert)
        return lambda given: (kind, *convert(given))

    def _converter_of_values(self, cls: type) -> Callable[[Any], tuple[Any, ...]]:
        convert, width = self._tuples_of(cls)
        is_flat, count = self._is_flat, len(self._names)
        if is_flat and width == count:
            return convert

        def row(given: Any) -> tuple[Any, ...]:
            made = convert(given)
            if len(made) != count:
                raise ValueError(
                    f"a row of the {count} columns {', '.join(self._names)} is wanted, but one of {len(made)} was "
                    "yielded"
                )
            return made if is_flat else tuple([_frozen(value) for value in made])

        return row

    def _tuples_of(self, cls: type) -> tuple[Callable[[Any], tuple[Any, ...]], int | None]:
        """Return the converter of objects of a class to tuples, and the tuple length; None if that varies."""
        if self._is_atomic:
            return (_atomic_tuple if issubclass(cls, (tuple, Row)) else _wrap_alone), 1
        if issubclass(cls, (tuple, list, Row, StateRow)):
            return tuple, None
        if issubclass(cls, Mapping):
            return self._of_names, None
        if dataclasses.is_dataclass(cls):
            return _fields_of(cls), len(dataclasses.fields(cls))
        return (_wrap_alone, 1) if len(self._names) == 1 else (self._no_row, None)

    def _no_row(self, given: Any) -> tuple[Any, ...]:
        raise TypeError(f"a row of the columns {', '.join(self._names)} is wanted, but {given!r} was yielded")

    def _of_names(self, given: Mapping[str, Any]) -> tuple[Any, ...]:
        missing = [name for name in self._names if name not in given]
        if missing or len(given) != len(self._names):
            raise ValueError(
                f"a row of the columns {', '.join(self._names)} is wanted, but a dict of "
                f"{', '.join(map(str, given))} was yielded"
            )
        return tuple([given[name] for name in self._names])

    def batch(
        self,
        source: pa.RecordBatch,
        forwarded: Sequence[int],
        at: list[int],
        rows: list[tuple[Any, ...]],
        times: list[int | None],
    ) -> pa.RecordBatch:
        """Build a batch of rows.

        Args:
            source: the input batch that the rows come from.
            forwarded: the positions of the input columns that are forwarded.
            at: for each row, the input row from which columns are forwarded.
            rows: the yielded rows.
            times: the time of each row, if the output has one.

        Raises:
            NoSuchRow: a row does not have the output type.
        """
        fields = list(self._schema)
        columns: list[pa.Array] = []
        if forwarded:
            if len(at) == source.num_rows and at[0] == 0 and at[-1] == len(at) - 1 and at == list(range(len(at))):
                columns = [source.column(position) for position in forwarded]
            else:
                taken = pa.array(at, pa.int32())
                columns = [source.column(position).take(taken) for position in forwarded]
            columns = [c if c.type == f.type else c.cast(f.type) for c, f in zip(columns, fields, strict=False)]
        given = list(zip(*rows, strict=True)) if self._fields else []
        for number, field in enumerate(self._fields):
            columns.append(self._column(given[number], field))
        if self._has_rowtime:
            columns.append(pa.array(times, pa.int64()).view(fields[-1].type))
        return pa.RecordBatch.from_arrays(columns, schema=self._schema)

    def _column(self, given: Sequence[Any], field: pa.Field) -> pa.Array:
        try:
            return _array(given, field)
        except WRONG:
            for position, value in enumerate(given):
                try:
                    _array([value], field)
                except WRONG as error:
                    what = wrong_value(f"in the column {field.name}, the value", value, field.type, error)
                    raise NoSuchRow(position, what) from None
            raise


def _array(given: Sequence[Any], field: pa.Field) -> pa.Array:
    made = column_of_any(given, field.type)
    if not field.nullable and made.null_count:
        raise ValueError("it is None, but the column is NOT NULL")
    if pa.types.is_nested(field.type):
        _require_no_nulls_inside(made)
    return made


def _require_no_nulls_inside(array: pa.Array) -> None:
    """Check that no NOT NULL part of a nested value is None, which Spark would take for another value."""
    data_type = array.type
    if pa.types.is_struct(data_type):
        rows = array.filter(array.is_valid()) if array.null_count else array
        inside = [(data_type.field(i), part) for i, part in enumerate(rows.flatten())]
    elif pa.types.is_map(data_type):
        inside = [(data_type.item_field, array.items)]
    else:
        inside = [(data_type.value_field, array.flatten())]
    for field, part in inside:
        if not field.nullable and part.null_count:
            raise ValueError(f"{field.name!r} within it is None, but is NOT NULL")
        if pa.types.is_nested(field.type):
            _require_no_nulls_inside(part)


def _with_kind(convert: Callable[[Any], tuple[Any, ...]], allowed: Sequence[str]) -> Callable[[Any], tuple[Any, ...]]:
    """Return a converter of rows that puts their kind before their values."""

    def row(given: Any) -> tuple[Any, ...]:
        kind = given.get_row_kind().name
        if kind not in allowed:
            raise ValueError(
                f"the row {given!r} is of the kind {kind}, but get_output_changelog_mode() gives {', '.join(allowed)}"
            )
        return (kind, *convert(given))

    return row


def _without_kind(convert: Callable[[Any], tuple[Any, ...]]) -> Callable[[Any], tuple[Any, ...]]:
    """Return a converter of rows that have to be insertions."""

    def row(given: Any) -> tuple[Any, ...]:
        kind = given.get_row_kind().name
        if kind != _INSERT:
            raise ValueError(
                f"the row {given!r} is of the kind {kind}, but the function declares insertions only: define "
                "get_output_changelog_mode()"
            )
        return convert(given)

    return row


def _wrap_alone(given: Any) -> tuple[Any, ...]:
    return (given,)


def _atomic_tuple(given: tuple[Any, ...] | Row) -> tuple[Any, ...]:
    return tuple(given) if len(given) == 1 else (given,)


def _fields_of(row: type) -> Callable[[Any], Any]:
    names = [field.name for field in dataclasses.fields(row)]
    if len(names) == 1:
        return lambda given: (getattr(given, names[0]),)
    return attrgetter(*names)


def _frozen(value: Any) -> Any:
    """Copy a value, so that later changes by the function do not affect it."""
    if isinstance(value, (list, ListView)):
        return [_frozen(element) for element in value]
    if isinstance(value, (dict, MapView)):
        return {key: _frozen(element) for key, element in value.items()}
    if isinstance(value, (Row, StateRow)):
        return tuple([_frozen(element) for element in value])
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return tuple([_frozen(getattr(value, field.name)) for field in dataclasses.fields(value)])
    return value
