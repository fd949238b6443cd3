"""Operations that read rows from a catalog, from literals, or from data of this process."""

from __future__ import annotations

from typing import Any, ClassVar

import attrs

from ir.errors import ValidationException, listing
from ir.expressions import ResolvedExpression, ValueLiteral
from ir.identifiers import ObjectIdentifier
from ir.nodes import node
from ir.operations.operation import QueryOperation
from ir.schema import ResolvedSchema

ReadOptions = tuple[tuple[str, str], ...]
"""Keys and values in written order."""


@node
class Source(QueryOperation):
    """The rows of a catalog table or view, now or at a version or a point in time.

    ``options`` are the options of this read; they override those of the table.
    """

    identifier: ObjectIdentifier
    schema: ResolvedSchema
    version: str | None = None
    timestamp: ValueLiteral | None = None
    options: ReadOptions = ()

    title: ClassVar[str] = "CatalogTable"
    noun: ClassVar[str] = "table"

    @property
    def label(self) -> str:
        return f"table {self.identifier.as_serializable_string()}"

    @property
    def expressions(self) -> tuple[ResolvedExpression, ...]:
        return () if self.timestamp is None else (self.timestamp,)

    def describe(self) -> str:
        names = listing(self.schema.names, 100)
        version = "" if self.version is None else f", version: [{self.version}]"
        at = "" if self.timestamp is None else f", timestamp: [{self.timestamp.as_summary_string()}]"
        options = ", ".join(f"{key}={value}" for key, value in self.options)
        options = options and f", options: [{options}]"
        return f"(identifier: [{self.identifier.as_summary_string()}]{version}{at}{options}, fields: [{names}])"


@node
class InlineSource(QueryOperation):
    """The rows of an object of this process, such as a DataFrame. It has no name, and so no SQL form."""

    handle: Any
    schema: ResolvedSchema
    kind: str

    title: ClassVar[str] = "InlineSource"
    noun: ClassVar[str] = "data of this process"

    def _identity(self) -> tuple[Any, ...]:
        # By identity, because a DataFrame's own ``==`` builds an expression.
        return (id(self.handle), self.schema, self.kind)

    def describe(self) -> str:
        return f"(kind: [{self.kind}], fields: [{listing(self.schema.names, 100)}])"


def _check_rows(instance: Values, attribute: object, rows: tuple[tuple[ResolvedExpression, ...], ...]) -> None:
    width = len(instance.schema)
    for number, row in enumerate(rows):
        if len(row) != width:
            raise ValidationException(f"Row {number} has {len(row)} values where the schema has {width} columns.")


@node
class Values(QueryOperation):
    """Inline rows; every value has exactly the type of its column, except for NULL."""

    schema: ResolvedSchema
    rows: tuple[tuple[ResolvedExpression, ...], ...] = attrs.field(validator=_check_rows)

    title: ClassVar[str] = "Values"
    noun: ClassVar[str] = "rows that are written out"
    sql_clause: ClassVar[str] = "VALUES"

    def describe(self) -> str:
        shown = ["(" + ", ".join(value.as_summary_string() for value in row) + ")" for row in self.rows[:5]]
        rest = [f"… ({len(self.rows) - 5} more)"] if len(self.rows) > 5 else []
        return f"(values: [{', '.join(shown + rest)}], fields: [{listing(self.schema.names, 100)}])"


SINGLE_ROW = Values(ResolvedSchema(()), ((),))
"""One row without columns, the input of a query that reads nothing."""
