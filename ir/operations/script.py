"""Rows that an external script computes from other rows."""

from __future__ import annotations

from ir.light_typing import ClassVar
from ir.nodes import Node, computed_field, node
from ir.operations.operation import QueryOperation, only_input
from ir.schema import Column, ResolvedSchema
from ir.types import STRING, LogicalType


@node
class RowFormat(Node):
    """How rows are converted to and from text: by a Hive SerDe class, or by delimiters.

    ``options`` are the properties of the class, or pairs of a clause, such as ``FIELDS TERMINATED BY``, and its
    string.
    """

    serde: str | None
    options: tuple[tuple[str, str], ...]

    def __repr__(self) -> str:
        named = "" if self.serde is None else f"{self.serde} "
        return "format " + named + ", ".join(f"{key} {value!r}" for key, value in self.options)


# The output columns of a script without declared columns: the text before the first tab, and the rest.
_UNDECLARED = ("key", "value")


@node
class Script(QueryOperation):
    """The output of a script that receives the rows of ``input`` as lines of text and returns lines of text.

    Without ``names`` and ``types`` the output is undeclared: a key and a value, both STRING.
    """

    input: QueryOperation
    command: str
    names: tuple[str, ...]
    types: tuple[LogicalType, ...]
    written: RowFormat | None = None
    read: RowFormat | None = None
    inputs: tuple[QueryOperation, ...] = only_input()
    schema: ResolvedSchema = computed_field(lambda self: self._declared())

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
