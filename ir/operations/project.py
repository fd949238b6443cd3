"""Projection."""

from __future__ import annotations

from typing import ClassVar

from ir.expressions import FieldReference, ResolvedExpression
from ir.nodes import computed, node
from ir.operations.operation import QueryOperation
from ir.schema import Column, ResolvedSchema


@node
class Project(QueryOperation):
    """For each row of ``input``, the values of ``projections`` under ``names``."""

    input: QueryOperation
    projections: tuple[ResolvedExpression, ...]
    names: tuple[str, ...]
    _schema: ResolvedSchema = computed(lambda self: self._named_types())

    title: ClassVar[str] = "Project"

    def _named_types(self) -> ResolvedSchema:
        columns = []
        for name, expression in zip(self.names, self.projections, strict=True):
            comment = None
            if isinstance(expression, FieldReference):
                comment = self.input.schema.columns[expression.index].comment
            columns.append(Column(name, expression.data_type, comment))
        return ResolvedSchema(tuple(columns))

    @property
    def schema(self) -> ResolvedSchema:
        return self._schema

    @property
    def inputs(self) -> tuple[QueryOperation, ...]:
        return (self.input,)

    @property
    def is_identity(self) -> bool:
        """Whether the columns of ``input`` come out as they are."""
        columns = self.input.schema.columns
        return len(columns) == len(self.projections) and all(
            isinstance(e, FieldReference) and e.index == i and n == columns[i].name
            for i, (e, n) in enumerate(zip(self.projections, self.names, strict=True))
        )

    def describe(self) -> str:
        return f"(projections: [{', '.join(map(self._item, self.projections, self.names))}])"

    @staticmethod
    def _item(expression: ResolvedExpression, name: str) -> str:
        text = expression.as_summary_string()
        named_itself = isinstance(expression, FieldReference) and expression.name == name
        generated = name.startswith("_c") and name[2:].isdigit()
        return text if named_itself or generated else f"as({text}, {name})"


def project(
    input: QueryOperation, projections: tuple[ResolvedExpression, ...], names: tuple[str, ...]
) -> QueryOperation:
    """Return the projection, or ``input`` where it would change nothing: the canonical form has no identities."""
    operation = Project(input, projections, names)
    return input if operation.is_identity else operation
