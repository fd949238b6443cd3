"""Projection."""

from __future__ import annotations

from ir.errors import ValidationException
from ir.expressions import FieldReference, ResolvedExpression
from ir.identifiers import fold
from ir.light_typing import ClassVar
from ir.nodes import computed_field, node
from ir.operations.operation import QueryOperation, only_input, summary_under_name
from ir.schema import Column, ResolvedSchema, SchemaOfEqualNames


@node
class Project(QueryOperation):
    """The values of ``projections`` for each row of ``input``, under ``names``.

    Only the last projection of a whole query may have equal names: see ``ir.equal_names``.
    """

    input: QueryOperation
    projections: tuple[ResolvedExpression, ...]
    names: tuple[str, ...]
    inputs: tuple[QueryOperation, ...] = only_input()
    schema: ResolvedSchema = computed_field(lambda self: self._named_types())

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
            # Equal names are rare, and a check before would take as long as building the schema.
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
        """Return ``input`` if the projection changes nothing; if it only renames columns, let ``input`` have the names.

        Otherwise return the projection itself. One SELECT then has one canonical tree.
        """
        if not self.is_renaming() or self.schema.holds:
            return self
        if self.names == self.input.schema.names:
            return self.input
        return self.input.with_names(self.names) or self

    def is_renaming(self) -> bool:
        """Whether the projection passes on all columns of ``input`` in order, possibly renamed."""
        return len(self.input.schema) == len(self.projections) and all(
            isinstance(e, FieldReference) and e.index == i for i, e in enumerate(self.projections)
        )

    def describe(self) -> str:
        named = zip(self.projections, self.names, strict=True)
        return f"(projections: [{', '.join(summary_under_name(e, name, '_c') for e, name in named)}])"


def project(
    input: QueryOperation, projections: tuple[ResolvedExpression, ...], names: tuple[str, ...]
) -> QueryOperation:
    """Return the projection in canonical form, which may be another operation.

    Raises:
        ValidationException: two columns have the same name.
    """
    made = Project(input, projections, names)
    if made.schema.holds and not _inherits_equal_names(made):
        # Raise the error for the equal names.
        ResolvedSchema(made.schema.columns)
    return made.canonical()


def _inherits_equal_names(made: Project) -> bool:
    """Whether all columns with equal names are distinct columns of the input with the same equal names."""
    if not made.input.schema.holds:
        return False
    folded = [fold(name) for name in made.names]
    known = [fold(name) for name in made.input.schema.names]
    repeated = [(e, name) for e, name in zip(made.projections, folded, strict=True) if folded.count(name) > 1]
    if not all(isinstance(e, FieldReference) and known[e.index] == name for e, name in repeated):
        return False
    return len({e for e, _ in repeated}) == len(repeated)
