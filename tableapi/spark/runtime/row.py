"""Rows: results of queries, and values in user-defined functions.

They are pickled by value for Spark's workers, so this module imports only the standard library.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from enum import Enum

TYPE_CHECKING = False  # a constant that type checkers know; typing takes long to load
if TYPE_CHECKING:
    from typing import Any, overload

__all__ = ["Row", "RowKind"]


class RowKind(Enum):
    """The kind of change that a row makes to a table; the rows of a query are insertions.

    Process table functions yield and get rows of other kinds; outside of them, a kind is the value of a column.
    """

    INSERT = "+I"
    UPDATE_BEFORE = "-U"
    UPDATE_AFTER = "+U"
    DELETE = "-D"

    def short_string(self) -> str:
        """Return the symbol of the kind: ``+I``, ``-U``, ``+U`` or ``-D``."""
        return self.value

    def __str__(self) -> str:
        return self.value


class Row:
    """A row of values, with optional names.

    Values are read and set by position or by name. A row is equal to a row or tuple with the same values. Nothing else
    refers to the rows of a query, so changing one has no side effects. The kind of a row is not one of its values.

    >>> row = Row(name="Alice", age=11)
    >>> row.name, row["age"], row[0]
    ('Alice', 11, 'Alice')
    >>> row["age"] += 1
    >>> row
    Row(name='Alice', age=12)
    >>> Row(1, "a") == (1, "a")
    True

    A row of names makes rows that have these names:

    >>> Person = Row("name", "age")
    >>> Person("Bob", 9)
    Row(name='Bob', age=9)
    """

    # A row has a kind if one was given to it; most rows are the insertions of a result.
    __slots__ = ("_kind", "_names", "_values")
    _kind: RowKind
    _names: tuple[str, ...] | None
    _values: list[Any]

    def __init__(self, *values: Any, **named: Any) -> None:
        """Make a row of values.

        Args:
            values: the values by position.
            named: the values by name, in order.

        Raises:
            ValueError: both kinds of values are given.
        """
        if values and named:
            raise ValueError("A Row takes its values either all by position or all by name.")
        _set(self, "_names", tuple(named) if named else None)
        _set(self, "_values", list(named.values() if named else values))

    @staticmethod
    def of(names: Sequence[str], values: Sequence[Any]) -> Row:
        """Make a row whose names need not be Python identifiers."""
        made = object.__new__(Row)
        _set(made, "_names", tuple(names))
        _set(made, "_values", list(values))
        return made

    @staticmethod
    def of_kind(row_kind: RowKind, *values: Any, **named: Any) -> Row:
        """Make a row of a kind, for a process table function that yields changes.

        >>> Row.of_kind(RowKind.DELETE, "Alice").get_row_kind()
        <RowKind.DELETE: '-D'>

        Args:
            row_kind: the kind.
            values: the values by position.
            named: the values by name, in order.

        Raises:
            TypeError: the kind is not a RowKind.
            ValueError: both kinds of values are given.
        """
        made = Row(*values, **named)
        made.set_row_kind(row_kind)
        return made

    @staticmethod
    def of_columns(names: Sequence[str], columns: Sequence[Sequence[Any]]) -> Iterator[Row]:
        """Yield the rows of columns of equal length."""
        shared, new, write = tuple(names), object.__new__, _set
        for values in zip(*columns, strict=True):
            made = new(Row)
            write(made, "_names", shared)
            write(made, "_values", list(values))
            yield made

    @property
    def names(self) -> tuple[str, ...] | None:
        """The names of the fields, or None for a row without names."""
        return self._names

    def set_field_names(self, field_names: Sequence[str]) -> None:
        """Name the fields, in order.

        >>> row = Row(1, "a")
        >>> row.set_field_names(["id", "text"])
        >>> row
        Row(id=1, text='a')

        Raises:
            ValueError: there are more or fewer names than values.
        """
        if len(field_names) != len(self._values):
            raise ValueError(f"The row has {len(self._values)} values, but {len(field_names)} names were given.")
        _set(self, "_names", tuple(field_names))

    def as_dict(self, recursive: bool = False) -> dict[str, Any]:
        """Return the values by name.

        Args:
            recursive: whether to convert rows among the values, also within lists and dicts.

        Raises:
            TypeError: the row has no names.
            ValueError: several fields have the same name.
        """
        if self._names is None:
            raise TypeError("The row has no names: it was made by position.")
        if len(set(self._names)) < len(self._names):
            repeated = next(name for name in self._names if self._names.count(name) > 1)
            raise ValueError(f"The row has {self._names.count(repeated)} fields {repeated!r}; read them by position.")
        return dict(zip(self._names, map(_convert_to_dict, self) if recursive else self, strict=True))

    def get_row_kind(self) -> RowKind:
        """Return the kind of change: ``RowKind.INSERT`` unless another one was given."""
        try:
            return self._kind
        except AttributeError:
            return RowKind.INSERT

    def set_row_kind(self, row_kind: RowKind) -> None:
        """Give the row a kind, for a process table function that yields changes.

        Raises:
            TypeError: the kind is not a RowKind.
        """
        if not isinstance(row_kind, RowKind):
            raise TypeError(f"The kind of a row is a RowKind, such as RowKind.DELETE, but {row_kind!r} was given.")
        _set(self, "_kind", row_kind)

    def __call__(self, *values: Any) -> Row:
        """Make a row of values, with the values of this row as its names.

        Raises:
            TypeError: a value of this row is not a string.
            ValueError: the number of values differs from the number of names.
        """
        if not all(isinstance(name, str) for name in self._values):
            raise TypeError(f"{self!r} cannot be called: only a Row of names makes rows, as Row('id', 'name')(1, 'a').")
        if len(values) != len(self._values):
            raise ValueError(f"The row has the names {self._values}, but {len(values)} values were given.")
        return Row.of(self._values, values)

    def _position(self, name: str) -> int:
        if self._names is None or name not in self._names:
            raise KeyError(name)
        if self._names.count(name) > 1:
            raise ValueError(f"The row has {self._names.count(name)} fields {name!r}; read them by position.")
        return self._names.index(name)

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, item: int | str) -> Any: ...
        @overload
        def __getitem__(self, item: slice) -> tuple[Any, ...]: ...

    def __getitem__(self, item: int | str | slice) -> Any:
        if isinstance(item, slice):
            return tuple(self._values[item])
        return self._values[self._position(item) if isinstance(item, str) else item]

    def __setitem__(self, item: int | str, value: Any) -> None:
        self._values[self._position(item) if isinstance(item, str) else item] = value

    def __getattr__(self, name: str) -> Any:
        # Copying and pickling look up special methods before the row has values.
        if name.startswith("__") or name in Row.__slots__:
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError:
            raise _make_missing_field_error(name, self._names) from None

    def __setattr__(self, name: str, value: Any) -> None:
        try:
            self[name] = value
        except KeyError:
            raise _make_missing_field_error(name, self._names) from None

    def __iter__(self) -> Iterator[Any]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __contains__(self, value: object) -> bool:
        return value in self._values

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Row):
            return self._values == other._values
        return tuple(self._values) == other if isinstance(other, tuple) else NotImplemented

    def __lt__(self, other: Row | tuple[Any, ...]) -> bool:
        return tuple(self) < tuple(other) if isinstance(other, (Row, tuple)) else NotImplemented

    def __le__(self, other: Row | tuple[Any, ...]) -> bool:
        return tuple(self) <= tuple(other) if isinstance(other, (Row, tuple)) else NotImplemented

    def __gt__(self, other: Row | tuple[Any, ...]) -> bool:
        return tuple(self) > tuple(other) if isinstance(other, (Row, tuple)) else NotImplemented

    def __ge__(self, other: Row | tuple[Any, ...]) -> bool:
        return tuple(self) >= tuple(other) if isinstance(other, (Row, tuple)) else NotImplemented

    def __hash__(self) -> int:
        # Rows equal tuples, so the hashes have to agree. A row that changes while it is in a set is not found there.
        return hash(tuple(self._values))

    def __reduce__(self) -> tuple[Any, ...]:
        kind = self.get_row_kind()
        if kind is not RowKind.INSERT:
            return (_make_with_kind, (kind, self._names, tuple(self._values)))
        return (Row, tuple(self._values)) if self._names is None else (Row.of, (self._names, tuple(self._values)))

    def __repr__(self) -> str:
        if self._names is None:
            return f"Row({', '.join(map(repr, self._values))})"
        return f"Row({', '.join(f'{n}={v!r}' for n, v in zip(self._names, self._values, strict=True))})"


_set = object.__setattr__


def _make_with_kind(kind: RowKind, names: tuple[str, ...] | None, values: tuple[Any, ...]) -> Row:
    made = Row(*values) if names is None else Row.of(names, values)
    made.set_row_kind(kind)
    return made


def _make_missing_field_error(name: str, names: tuple[str, ...] | None) -> AttributeError:
    # Only the driver knows the names that other libraries use for members; workers have this module alone.
    advising = sys.modules.get("tableapi.unknown_members")
    if advising is not None:
        error: AttributeError = advising.make_row_field_error(names, name, Row)
        return error
    return AttributeError(f"The row has no field {name!r}; its fields are {names}.")


def _convert_to_dict(value: Any) -> Any:
    if isinstance(value, Row):
        return value.as_dict(True) if value.names is not None else value
    if isinstance(value, list):
        return [_convert_to_dict(element) for element in value]
    return {key: _convert_to_dict(element) for key, element in value.items()} if isinstance(value, dict) else value
