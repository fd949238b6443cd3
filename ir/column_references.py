"""References to the columns of an operation's input, made on demand."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence

from ir.expressions import FieldReference
from ir.light_typing import TYPE_CHECKING, cast, overload

if TYPE_CHECKING:
    from ir.schema import ResolvedSchema
    from ir.types import LogicalType


class _References(Sequence[FieldReference]):
    """References to columns of an input by position, each made on first access.

    Most queries access few of the columns that their joins have.
    """

    __slots__ = ("places",)

    def __init__(self, places: Sequence[int]) -> None:
        self.places = places

    @abstractmethod
    def at(self, place: int) -> FieldReference:
        """Return the reference to the column at a position of the input, counted from 0."""

    def __len__(self) -> int:
        return len(self.places)

    @overload
    def __getitem__(self, index: int) -> FieldReference: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[FieldReference, ...]: ...

    def __getitem__(self, index: int | slice) -> FieldReference | tuple[FieldReference, ...]:
        if isinstance(index, slice):
            return tuple(map(self.at, self.places[index]))
        return self.at(self.places[index])

    def __iter__(self) -> Iterator[FieldReference]:
        return map(self.at, self.places)


class ColumnReferences(_References):
    """References to all columns of an operation's only input."""

    __slots__ = ("_made", "names", "types")

    def __init__(self, names: Sequence[str], types: Sequence[LogicalType]) -> None:
        super().__init__(range(len(names)))
        self.names = names
        self.types = types
        self._made: dict[int, FieldReference] = {}

    def at(self, place: int) -> FieldReference:
        made = self._made.get(place)
        if made is None:
            made = self._made[place] = FieldReference(self.names[place], self.types[place], 0, place)
        return made


class ChosenColumns(_References):
    """References to some columns of an operation's input, in any order."""

    __slots__ = ("_columns",)

    def __init__(self, columns: ColumnReferences, places: Sequence[int]) -> None:
        super().__init__(places)
        self._columns = columns

    def at(self, place: int) -> FieldReference:
        return self._columns.at(place)


def column_references(schema: ResolvedSchema) -> ColumnReferences:
    """Return references to the columns of an operation's only input, the same object for each use of a schema."""
    if schema.references is None:
        object.__setattr__(schema, "references", ColumnReferences(schema.names, schema.types))
    return cast("ColumnReferences", schema.references)
