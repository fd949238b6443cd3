"""Projection."""

from __future__ import annotations

from typing import ClassVar

from ir.errors import ValidationException
from ir.expressions import FieldReference, ResolvedExpression
from ir.identifiers import fold
from ir.nodes import computed, node
from ir.operations.operation import QueryOperation, only_input, summary_under_name
from ir.schema import Column, ResolvedSchema, SchemaOfEqualNames


@node
class Project(QueryOperation):
    """For each row of ``input``, the values of ``projections`` under ``names``.

    Only the projection that a whole query ends with may have equal names: see ``ir.equal_names``.
    """

    input: QueryOperation
    projections: tuple[ResolvedExpression, ...]
    names: tuple[str, ...]
    inputs: tuple[QueryOperation, ...] = only_input()
    schema: ResolvedSchema = computed(lambda self: self._named_types())

    title: ClassVar[str] = "Project"
    noun: ClassVar[str] = "projection"
    adjective: ClassVar[str] = "selected"
    sql_clause: ClassVar[str] = "SELECT"

    def _named_types(self) -> ResolvedSchema:
        columns = []
        for name, expression in zip(self.names, self.projections, strict=True):
            comment = None
            if isinstance(expression, FieldReference):
                comment = self.input.schema.columns[expression.index].comment
            columns.append(Column(name, expression.data_type, comment))
        try:
            return ResolvedSchema(tuple(columns))
        except ValidationException:
            # Names are seldom equal, and looking for that before would take as long as making the schema.
            return SchemaOfEqualNames(tuple(columns))

    @property
    def takes_outer_references(self) -> bool:
        return True

    def column_below(self, index: int) -> tuple[QueryOperation, int] | None:
        column = self.projections[index]
        return (self.input, column.index) if isinstance(column, FieldReference) else None

    @property
    def expressions(self) -> tuple[ResolvedExpression, ...]:
        return self.projections

    def canonical(self) -> QueryOperation:
        """Return ``input`` where nothing changes, or where only names do and it can have these itself.

        What one SELECT says is one operation.
        """
        if not self.is_renaming() or self.schema.holds:
            return self
        if self.names == self.input.schema.names:
            return self.input
        return self.input.with_names(self.names) or self

    def is_renaming(self) -> bool:
        """Whether all columns of ``input`` come out in their order, under the same names or others."""
        return len(self.input.schema) == len(self.projections) and all(
            isinstance(e, FieldReference) and e.index == i for i, e in enumerate(self.projections)
        )

    def describe(self) -> str:
        named = zip(self.projections, self.names, strict=True)
        return f"(projections: [{', '.join(summary_under_name(e, name, '_c') for e, name in named)}])"


def project(
    input: QueryOperation, projections: tuple[ResolvedExpression, ...], names: tuple[str, ...]
) -> QueryOperation:
    """Return the projection in its canonical form, which may be no Project.

    Raises:
        ValidationException: two columns have the same name.
    """
    made = Project(input, projections, names)
    if made.schema.holds and not _inherits_equal_names(made):
        # Raises the error about the names.
        ResolvedSchema(made.schema.columns)
    return made.canonical()


def _inherits_equal_names(made: Project) -> bool:
    """Whether all columns with equal names are different columns of the input that have equal names there, too."""
    if not made.input.schema.holds:
        return False
    folded = [fold(name) for name in made.names]
    known = [fold(name) for name in made.input.schema.names]
    repeated = [(e, name) for e, name in zip(made.projections, folded, strict=True) if folded.count(name) > 1]
    if not all(isinstance(e, FieldReference) and known[e.index] == name for e, name in repeated):
        return False
    return len({e for e, _ in repeated}) == len(repeated)
