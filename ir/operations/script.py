"""Rows that a program of the operating system computes of other rows."""

from __future__ import annotations

from typing import ClassVar

from ir.nodes import Node, computed, node
from ir.operations.operation import QueryOperation, only_input
from ir.schema import Column, ResolvedSchema
from ir.types import STRING, LogicalType


@node
class RowFormat(Node):
    """How rows are written as text or read from it: by a class of Hive, or by what stands between values.

    ``options`` are the properties of the class, or pairs of a clause, such as ``FIELDS TERMINATED BY``, and its text.
    """

    serde: str | None
    options: tuple[tuple[str, str], ...]

    def __repr__(self) -> str:
        named = "" if self.serde is None else f"{self.serde} "
        return "format " + named + ", ".join(f"{key} {value!r}" for key, value in self.options)


# What a program gives of which no columns are declared: what stands before the first tab, and the rest.
_UNDECLARED = ("key", "value")


@node
class Script(QueryOperation):
    """What a program gives as lines of text for the rows of ``input``, which it gets as lines of text.

    Without ``names`` and ``types``, what it gives is not declared: a key and a value, both text.
    """

    input: QueryOperation
    command: str
    names: tuple[str, ...]
    types: tuple[LogicalType, ...]
    written: RowFormat | None = None
    read: RowFormat | None = None
    inputs: tuple[QueryOperation, ...] = only_input()
    schema: ResolvedSchema = computed(lambda self: self._declared())

    title: ClassVar[str] = "Script"
    noun: ClassVar[str] = "program"
    sql_clause: ClassVar[str] = "TRANSFORM … USING"

    @property
    def hides_outer_query(self) -> bool:
        return True

    def _declared(self) -> ResolvedSchema:
        if not self.names:
            return ResolvedSchema(tuple([Column(name, STRING) for name in _UNDECLARED]))
        return ResolvedSchema(tuple([Column(n, kind) for n, kind in zip(self.names, self.types, strict=True)]))

    def describe(self) -> str:
        return f"(command: [{self.command}], columns: [{', '.join(map(repr, self.schema.columns))}])"
