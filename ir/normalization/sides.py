"""The columns of the sides of a join, among those of FROM."""

from __future__ import annotations

from collections.abc import Sequence

from ir.column_references import ChosenColumns, column_references
from ir.expressions import FieldReference
from ir.normalization.blocks import SelectBlock
from ir.operations.operation import QueryOperation
from ir.resolution.naming import Names
from ir.types import LogicalType


def unique_beside(names: tuple[str, ...], block: SelectBlock) -> tuple[str, ...]:
    """Return names for further columns of FROM, near those given, that no other column there has."""
    taken = Names(block.fields.names)
    if all(taken.is_free(name) for name in names):
        # Names of one relation differ from each other.
        return names
    return tuple([taken.free(name) for name in names])


def nullable_side(types: Sequence[LogicalType], is_optional: bool) -> Sequence[LogicalType]:
    """Return the types of a side, nullable where its rows may be missing."""
    return [type_.as_nullable() for type_ in types] if is_optional else types


def is_as_it_is(block: SelectBlock, operation: QueryOperation) -> bool:
    """Whether a block has the columns of FROM, all of them and in their order, by the names of its operation."""
    return block.columns is block.fields is column_references(operation.schema)


def places_of(block: SelectBlock) -> Sequence[int]:
    """Return which columns of FROM those of a block are, of which none is computed."""
    if block.columns is block.fields:
        return range(len(block.fields))
    if isinstance(block.columns, ChosenColumns):
        return block.columns.places
    return [column.index for column in block.columns if isinstance(column, FieldReference)]
