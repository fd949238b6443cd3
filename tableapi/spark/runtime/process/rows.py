"""Convert Arrow batches to Python rows column by column, which is far faster than row by row."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import Row

from tableapi.spark.runtime.columns import values_of
from tableapi.spark.runtime.process.plan import TablePlan
from tableapi.spark.runtime.row import RowKind

_compute: Any = pc


class _Example(NamedTuple):
    column: Any


# The descriptor class of named tuple fields, which is fast because it avoids __getitem__.
_Column: Any = type(vars(_Example)["column"])
_EPOCH_IN_UTC = dt.datetime(1970, 1, 1, tzinfo=dt.timezone.utc)


class TableRow(Row):
    """A row of a table; each table has a subclass with its columns as attributes."""

    def get_row_kind(self: Any) -> RowKind:
        """Return the kind of change, which all rows of a class have."""
        return RowKind.INSERT

    def as_dict(self, recursive: bool = False) -> dict[str, Any]:
        """Return the columns by name."""
        return self.asDict(recursive)


# Methods of a row that a column of the same name must not hide.
_KEPT = frozenset({"asDict", "as_dict", "get_row_kind"})


def row_class(names: Sequence[str], kind: RowKind = RowKind.INSERT) -> type[TableRow]:
    """Return the class of the rows of a table that have a kind: a tuple with the columns as fast attributes."""
    members: dict[str, Any] = {"__fields__": list(names)}
    if kind is not RowKind.INSERT:
        members["get_row_kind"] = lambda row: kind
    for position, name in enumerate(names):
        if not name.startswith("__") and name not in _KEPT and name not in members:
            members[name] = _Column(position, f"The column {name}.")
    return type("Row", (TableRow,), members)


def make_row(names: Sequence[str], values: Sequence[Any]) -> Row:
    """Build a nested row."""
    made: Row = Row(*names)(*values)
    return made


def row_maker(table: TablePlan, read: frozenset[str] | None = None) -> Callable[[Sequence[pa.Array]], Iterator[Any]]:
    """Return a function from the columns of a table to its rows: objects of the declared class, or generic rows.

    In generic rows, only the columns in ``read`` have values, if it is known which the function reads.
    """
    make, names = table.make, table.columns
    if make is not None:
        return lambda columns: map(make, *[values(column) for column in columns])
    if table.kinds is not None:
        return _changes_maker(table, table.kinds)
    cls = row_class(names)
    of_values = partial(tuple.__new__, cls)
    wanted = frozenset(names) if read is None or not are_columns(names, read) else read

    def of_column(name: str, column: pa.Array) -> list[Any]:
        if name not in wanted:
            return [None] * len(column)
        return convert_column(values(column), table.converters.get(name))

    def rows(columns: Sequence[pa.Array]) -> Iterator[Any]:
        found = [of_column(name, column) for name, column in zip(names, columns, strict=True)]
        return map(of_values, zip(*found, strict=True))

    return rows


def _changes_maker(table: TablePlan, kinds: str) -> Callable[[Sequence[pa.Array]], Iterator[Any]]:
    """Return a function from the columns of a table of changes to its rows, whose kinds are names in a column."""
    names = table.columns
    place = names.index(kinds)
    makers = {kind.name: partial(tuple.__new__, row_class(names, kind)) for kind in RowKind}
    other = makers[RowKind.INSERT.name]

    def rows(columns: Sequence[pa.Array]) -> Iterator[Any]:
        for found in zip(*map(values, columns), strict=True):
            yield makers.get(found[place], other)(found)

    return rows


def find_wrong_kind(kinds: Sequence[str | None]) -> int | None:
    """Return the position of the first value that is not a name of a kind of rows; None if there is none."""
    known = RowKind.__members__
    return next((position for position, kind in enumerate(kinds) if kind not in known), None)


def convert_column(given: list[Any], make: Callable[[Any], Any] | None) -> list[Any]:
    """Convert the values of a column for the function."""
    return given if make is None else list(map(make, given))


def view_of(table: TablePlan, read: frozenset[str] | None) -> tuple[str, ...] | None:
    """Return the columns of a view of a table; None if the function needs whole rows."""
    if read is None or table.make is not None or table.kinds is not None or not are_columns(table.columns, read):
        return None
    return tuple([name for name in table.columns if name in read])


def are_columns(names: Sequence[str], read: frozenset[str]) -> bool:
    """Whether all attributes that a function reads are columns, and none is a method, which may read the whole row."""
    return all(name in names and name not in _KEPT for name in read)


def make_object(cls: Callable[..., Any], nested: Mapping[int, Callable[[Any], Any]], *given: Any) -> Any:
    """Build an object of a class, after converting some of its field values."""
    fields = list(given)
    for position, make in nested.items():
        fields[position] = make(fields[position])
    return cls(*fields)


def make_by_name(cls: Callable[..., Any], fields: Sequence[tuple[str, bool]], *given: Any) -> Any:
    """Build an object of a data class from pairs of a field name and whether ``__init__`` takes the field."""
    made = cls(**{name: value for (name, is_taken), value in zip(fields, given, strict=True) if is_taken})
    for (name, is_taken), value in zip(fields, given, strict=True):
        if not is_taken:
            object.__setattr__(made, name, value)
    return made


def object_of_row(make: Callable[..., Any], row: Any) -> Any:
    """Build an object from a nested row; None stays None."""
    return None if row is None else make(*row)


def tuple_of(*given: Any) -> tuple[Any, ...]:
    """Return values as a tuple."""
    return given


def list_of_objects(make: Callable[[Any], Any], given: Any) -> Any:
    """Convert the elements of a list to objects."""
    return None if given is None else [make(value) for value in given]


def map_of_objects(key: Callable[[Any], Any] | None, value: Callable[[Any], Any] | None, given: Any) -> Any:
    """Convert the keys and values of a map to objects; a converter is None if no conversion is needed."""
    if given is None:
        return None
    return {k if key is None else key(k): v if value is None else value(v) for k, v in given.items()}


def values(column: pa.Array) -> list[Any]:
    """Return the values of a column in the form that functions take."""
    data_type = column.type
    if pa.types.is_timestamp(data_type) and data_type.unit == "us" and data_type.tz is not None:
        # Faster than Arrow, which looks up time zones.
        epoch, delta = _EPOCH_IN_UTC, dt.timedelta
        numbers = microseconds(column)
        if column.null_count:
            return [None if n is None else epoch + delta(0, 0, n) for n in numbers]
        return [epoch + delta(0, 0, n) for n in numbers]
    return values_of(column, make_row)


def microseconds(column: pa.Array) -> list[Any]:
    """Return a column of times as microseconds since 1970."""
    found: list[Any] = column.view(pa.int64()).to_pylist()
    return found


def starts_of_partitions(keys: Sequence[pa.Array], before: Sequence[pa.Array]) -> list[int]:
    """Return the positions in a batch at which the keys differ from those of the previous row.

    Args:
        keys: the key columns.
        before: the key columns of the last row of the previous batch; empty for the first batch.
    """
    starts = (
        []
        if before and not any(_differ(key.slice(0, 1), b)[0].as_py() for key, b in _walk_leaves(keys, before))
        else [0]
    )
    length = len(keys[0]) if keys else 0
    if length < 2:
        return starts
    changed = None
    for key in _flat(keys):
        differs = _differ(key.slice(1), key.slice(0, length - 1))
        changed = differs if changed is None else _compute.or_(changed, differs)
    starts += [position + 1 for position in _compute.indices_nonzero(changed).to_pylist()]
    return starts


def _walk_leaves(keys: Sequence[pa.Array], before: Sequence[pa.Array]) -> Iterable[tuple[pa.Array, pa.Array]]:
    return zip(_flat(keys), _flat(before), strict=True)


def _flat(keys: Sequence[pa.Array]) -> list[pa.Array]:
    """Flatten structs into columns that Arrow can compare: whether the struct is NULL, and its fields."""
    flat: list[pa.Array] = []
    waiting = list(reversed(keys))
    while waiting:
        key = waiting.pop()
        if pa.types.is_struct(key.type):
            flat.append(key.is_null())
            waiting.extend(reversed(key.flatten()))
        else:
            flat.append(key)
    return flat


def _differ(left: pa.Array, right: pa.Array) -> pa.Array:
    """Compare values as keys: NULL equals NULL, and NaN equals NaN."""
    data_type = left.type
    if pa.types.is_nested(data_type):
        pairs = zip(left.to_pylist(), right.to_pylist(), strict=True)
        return pa.array([repr(a) != repr(b) for a, b in pairs], pa.bool_())
    if pa.types.is_null(data_type):
        return pa.array([False] * len(left), pa.bool_())
    differ = _compute.not_equal(left, right)
    if pa.types.is_floating(data_type):
        both_nan = _compute.and_(_compute.is_nan(left), _compute.is_nan(right))
        differ = _compute.and_not(differ, both_nan)
    if left.null_count or right.null_count:
        differ = _compute.coalesce(differ, _compute.xor(left.is_null(), right.is_null()))
    return differ
