"""The operation that makes asynchronous calls, which exists only between planning and lowering."""

from __future__ import annotations

from typing import ClassVar

from ir.call_expressions import Call
from ir.expressions import FieldReference, ResolvedExpression
from ir.nodes import computed_field, node
from ir.operations.operation import QueryOperation
from ir.schema import Column, ResolvedSchema


@node
class AsyncCalc(QueryOperation):
    """The rows of ``input`` with the results of ``calls`` appended as columns ``names``.

    An argument that is itself one of the calls stands for the result of that call. A call with a guard runs for the
    rows for which the guard is TRUE, and is NULL for other rows. A call whose guard is None runs for all rows.
    """

    input: QueryOperation
    calls: tuple[Call, ...]
    guards: tuple[ResolvedExpression | None, ...]
    names: tuple[str, ...]
    is_ordered: bool
    _schema: ResolvedSchema = computed_field(lambda self: self._input_then_results())

    title: ClassVar[str] = "AsyncCalc"

    def _input_then_results(self) -> ResolvedSchema:
        results = [Column(n, c.type_.as_nullable()) for n, c in zip(self.names, self.calls, strict=True)]
        return ResolvedSchema((*self.input.schema.columns, *results))

    @property
    def schema(self) -> ResolvedSchema:
        return self._schema

    @property
    def inputs(self) -> tuple[QueryOperation, ...]:
        return (self.input,)

    @property
    def results(self) -> list[FieldReference]:
        """The result columns."""
        first = len(self.input.schema)
        columns = self.schema.columns[first:]
        return [FieldReference(c.name, c.data_type, 0, first + i) for i, c in enumerate(columns)]

    def describe(self) -> str:
        shown = []
        for call, guard, name in zip(self.calls, self.guards, self.names, strict=True):
            where = "" if guard is None else f" where {guard.as_summary_string()}"
            shown.append(f"as({call.as_summary_string()}, {name}){where}")
        return f"(calls: [{', '.join(shown)}], mode: [{'ordered' if self.is_ordered else 'unordered'}])"
