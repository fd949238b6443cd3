"""Filter and distinct."""

from __future__ import annotations

from ir.expressions import ResolvedExpression
from ir.light_typing import ClassVar
from ir.nodes import computed_field, node
from ir.operations.operation import QueryOperation, only_input
from ir.schema import ResolvedSchema


@node
class Filter(QueryOperation):
    """Rows of ``input`` for which ``condition`` is TRUE."""

    input: QueryOperation
    condition: ResolvedExpression
    inputs: tuple[QueryOperation, ...] = only_input()
    schema: ResolvedSchema = computed_field(lambda self: self._schema_of_input())

    title: ClassVar[str] = "Filter"
    noun: ClassVar[str] = "filter"
    adjective: ClassVar[str] = "filtered"
    sql_clause: ClassVar[str] = "WHERE"
    keeps_columns: ClassVar[bool] = True

    def _schema_of_input(self) -> ResolvedSchema:
        # The schema is stored, because otherwise each access would walk down a chain of filters.
        return self.input.schema

    @property
    def takes_outer_references(self) -> bool:
        return True

    @property
    def expressions(self) -> tuple[ResolvedExpression, ...]:
        return (self.condition,)

    def describe(self) -> str:
        return f"(condition: [{self.condition.as_summary_string()}])"


@node
class Distinct(QueryOperation):
    """The distinct rows of ``input``."""

    input: QueryOperation
    inputs: tuple[QueryOperation, ...] = only_input()
    schema: ResolvedSchema = computed_field(lambda self: self._schema_of_input())

    title: ClassVar[str] = "Distinct"
    noun: ClassVar[str] = "removal of duplicates"
    adjective: ClassVar[str] = "distinct"
    sql_clause: ClassVar[str] = "DISTINCT"
    keeps_columns: ClassVar[bool] = True

    def _schema_of_input(self) -> ResolvedSchema:
        from ir.operations.keys import require_comparable

        require_comparable(self.input.schema, "DISTINCT")
        return self.input.schema

    @property
    def compares_rows(self) -> bool:
        return True

    @property
    def groups_rows(self) -> bool:
        return True

    def describe(self) -> str:
        return "()"
