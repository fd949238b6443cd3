"""Projections below operations, for expressions that are extracted from the operations."""

from __future__ import annotations

from collections.abc import Sequence

from ir.expressions import FieldReference, ResolvedExpression
from ir.identifiers import fold
from ir.operations.filter import Filter
from ir.operations.operation import QueryOperation
from ir.operations.project import Project, project
from ir.rewriting import choose_unused_name, replace
from ir.schema import ResolvedSchema
from tableapi.spark.planner.asynchronous.call_guards import holds_async, references


class Below:
    """A projection below an operation: all columns of its input, and the extracted expressions."""

    def __init__(
        self,
        input: QueryOperation,
        taken: Sequence[str] = (),
        beside: Below | None = None,
        used: set[str] | None = None,
    ) -> None:
        """Start with the columns of an input.

        Args:
            input: the input.
            taken: names that no new column may have, besides the names of the input.
            beside: the projection of the other join input, which must not use the same column names.
            used: folded names that no new column may have; new names are added to this set.
        """
        self._input = input
        self._columns = columns_of(input)
        self._taken: set[str] = used if used is not None else set() if beside is None else beside._taken
        self._taken.update(fold(name) for name in (*input.schema.names, *taken))
        self._index = 0 if beside is None else 1
        self._names: list[str] = []
        self._moved: dict[ResolvedExpression, FieldReference] = {}

    def take(self, expression: ResolvedExpression) -> FieldReference:
        """Extract an expression, and return the column that replaces it."""
        found = self._moved.get(expression)
        if found is None:
            name = choose_unused_name("__below", self._taken)
            self._taken.add(fold(name))
            self._names.append(name)
            position = len(self._columns) + len(self._moved)
            found = FieldReference(name, expression.data_type, self._index, position)
            self._moved[expression] = found
        return found

    def column(self, expression: ResolvedExpression) -> int:
        """Return the position of an expression: a column keeps its position, and other expressions are extracted."""
        return expression.index if isinstance(expression, FieldReference) else self.take(expression).index

    def keep(self, conditions: Sequence[ResolvedExpression]) -> None:
        """Filter the input by conditions over it."""
        for condition in conditions:
            self._input = Filter(self._input, condition)

    @property
    def names(self) -> list[str]:
        """The names of the added columns."""
        return self._names

    def made(self) -> QueryOperation:
        """Build the projection; return the input itself if nothing was extracted."""
        if not self._moved:
            return self._input
        given = [rewrite_over_first(expression) for expression in self._moved]
        return Project(self._input, (*self._columns, *given), (*self._input.schema.names, *self._names))


def columns_of(operation: QueryOperation) -> list[FieldReference]:
    """Return references to all columns of an operation."""
    return [FieldReference(c.name, c.data_type, 0, i) for i, c in enumerate(operation.schema.columns)]


def rewrite_over_first(expression: ResolvedExpression) -> ResolvedExpression:
    """Return an expression over one of two inputs as one over that input alone."""

    def first(part: ResolvedExpression) -> ResolvedExpression | None:
        return FieldReference(part.name, part.type_, 0, part.index) if isinstance(part, FieldReference) else None

    return replace(expression, first)


def project_columns(operation: QueryOperation, schema: ResolvedSchema, positions: Sequence[int]) -> QueryOperation:
    """Project an operation to the columns at some positions, renamed to the names of a schema."""
    columns = columns_of(operation)
    return project(operation, tuple([columns[i] for i in positions]), schema.names)


def extract_sides(condition: ResolvedExpression, sides: tuple[Below, Below | None]) -> ResolvedExpression:
    """Extract the largest parts of a join condition that make calls on one side alone into that side."""

    def take(part: ResolvedExpression) -> ResolvedExpression | None:
        if not holds_async(part):
            return part
        used = {reference.input_index for reference in references(part)} or {0}
        side = sides[next(iter(used))] if len(used) == 1 else None
        return None if side is None else side.take(part)

    return replace(condition, take)


def rewrite_over_pairs(condition: ResolvedExpression, width: int) -> ResolvedExpression:
    """Rewrite a join condition over joined rows, whose right columns begin at position ``width``."""

    def moved(part: ResolvedExpression) -> ResolvedExpression | None:
        if not isinstance(part, FieldReference):
            return None
        return FieldReference(part.name, part.type_, 0, part.index + (width if part.input_index else 0))

    return replace(condition, moved)
