"""References to all columns of an operation's input, without making each of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, cast, overload

from ir.expressions import FieldReference

if TYPE_CHECKING:
    from ir.schema import ResolvedSchema
    from ir.types import LogicalType


class ColumnReferences(Sequence[FieldReference]):
    """References to all columns of an operation's only input, each made when it is looked at first.

    Most queries look at few of the columns that their joins have.
    """

    __slots__ = ("_made", "names", "types")

    def __init__(self, names: Sequence[str], types: Sequence[LogicalType]) -> None:
        self.names = names
        self.types = types
        self._made: dict[int, FieldReference] = {}

    def __len__(self) -> int:
        return len(self.names)

    @overload
    def __getitem__(self, index: int) -> FieldReference: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[FieldReference, ...]: ...

    def __getitem__(self, index: int | slice) -> FieldReference | tuple[FieldReference, ...]:
        if isinstance(index, slice):
            return tuple([self.at(i) for i in range(*index.indices(len(self.names)))])
        return self.at(index)

    def at(self, index: int) -> FieldReference:
        """Return the reference to the column at a position from 0."""
        made = self._made.get(index)
        if made is None:
            made = self._made[index] = FieldReference(self.names[index], self.types[index], 0, index)
        return made

    def __iter__(self) -> Iterator[FieldReference]:
        return map(self.at, range(len(self.names)))


class ChosenColumns(Sequence[FieldReference]):
    """Some columns of an operation's input in an order of their own, each made when it is looked at first."""

    __slots__ = ("_columns", "places")

    def __init__(self, columns: ColumnReferences, places: Sequence[int]) -> None:
        self._columns = columns
        self.places = places

    def __len__(self) -> int:
        return len(self.places)

    @overload
    def __getitem__(self, index: int) -> FieldReference: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[FieldReference, ...]: ...

    def __getitem__(self, index: int | slice) -> FieldReference | tuple[FieldReference, ...]:
        if isinstance(index, slice):
            return tuple([self._columns.at(place) for place in self.places[index]])
        return self._columns.at(self.places[index])

    def __iter__(self) -> Iterator[FieldReference]:
        return map(self._columns.at, self.places)


def column_references(schema: ResolvedSchema) -> ColumnReferences:
    """Return references to the columns of an operation's only input: those of a schema are the same each time."""
    if schema.references is None:
        object.__setattr__(schema, "references", ColumnReferences(schema.names, schema.types))
    return cast("ColumnReferences", schema.references)
