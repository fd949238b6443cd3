"""Union, intersection and difference."""

from __future__ import annotations

from enum import Enum

from ir.light_typing import ClassVar
from ir.nodes import node
from ir.operations.operation import QueryOperation, both_sides
from ir.schema import ResolvedSchema


class SetOperationType(Enum):
    """The kind of a set operation."""

    UNION = "UNION"
    INTERSECT = "INTERSECT"
    MINUS = "MINUS"

    @property
    def noun(self) -> str:
        """The name of the operation in sentences."""
        return _NOUNS[self]


_NOUNS = {
    SetOperationType.UNION: "union",
    SetOperationType.INTERSECT: "intersection",
    SetOperationType.MINUS: "difference",
}


@node
class SetOperation(QueryOperation):
    """The rows of ``left`` and ``right`` combined by column position; ``all`` keeps duplicates.

    The names are those of ``left``. Resolution determines the types, to which both sides are cast.
    """

    kind: SetOperationType
    all: bool
    left: QueryOperation
    right: QueryOperation
    schema: ResolvedSchema
    inputs: tuple[QueryOperation, ...] = both_sides()

    title: ClassVar[str] = "SetOperation"
    noun: ClassVar[str] = "set operation"

    @property
    def label(self) -> str:
        return self.kind.noun

    @property
    def compares_rows(self) -> bool:
        return self.kind is not SetOperationType.UNION or not self.all

    @property
    def groups_rows(self) -> bool:
        return self.kind is SetOperationType.UNION and not self.all

    def describe(self) -> str:
        return f"(type: [{self.kind.value}{' ALL' if self.all else ''}])"
