"""Rows without columns."""

from __future__ import annotations

from ir.calls import call
from ir.light_typing import ClassVar
from ir.literals import literal
from ir.nodes import node
from ir.operations.operation import QueryOperation, only_input
from ir.operations.project import Project
from ir.operations.source import SINGLE_ROW, Values
from ir.schema import ResolvedSchema
from ir.types import INT

_NONE = ResolvedSchema(())


@node
class NoColumns(QueryOperation):
    """As many rows as ``input`` has, without columns.

    ``input`` has one column, a row without fields, which SQL expands to nothing.
    """

    input: QueryOperation
    inputs: tuple[QueryOperation, ...] = only_input()

    title: ClassVar[str] = "NoColumns"
    noun: ClassVar[str] = "removal of all columns"

    @property
    def schema(self) -> ResolvedSchema:
        return _NONE

    def describe(self) -> str:
        return "()"


def rows_without_columns(count: int) -> QueryOperation:
    """Return ``count`` rows without columns, built from VALUES with one value each."""
    if count == 1:
        return SINGLE_ROW
    value = literal(1)
    # Empty VALUES are written as a NULL, so that the type is nullable.
    kind = value.data_type if count else INT
    return drop_columns(Values(ResolvedSchema.of(["value"], [kind]), ((value,),) * count))


def drop_columns(input: QueryOperation) -> QueryOperation:
    """Return the rows of ``input`` without its columns. Projections below are dropped and not computed.

    A SELECT cannot have an empty list, but it can expand a row without fields.
    """
    while isinstance(input, Project):
        input = input.input
    if not input.schema.columns:
        return input
    from ir.functions.collection import ROW

    return NoColumns(Project(input, (call(ROW, ()),), ("s",)))
