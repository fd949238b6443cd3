"""The operation that makes asynchronous calls: it exists only between planning and the text that Spark is given."""

from __future__ import annotations

from typing import ClassVar

from ir.expressions import Call, FieldReference, ResolvedExpression
from ir.nodes import computed, node
from ir.operations.operation import QueryOperation
from ir.schema import Column, ResolvedSchema


@node
class AsyncCalc(QueryOperation):
    """Each row of ``input`` with the results of ``calls`` on it, under ``names``, after its own columns.

    Where an argument of a call is itself one of the calls, it is given that result. A call is made for the rows for
    which its guard is TRUE, or for all where it is None; the result is NULL for the others.
    """

    input: QueryOperation
    calls: tuple[Call, ...]
    guards: tuple[ResolvedExpression | None, ...]
    names: tuple[str, ...]
    is_ordered: bool
    _schema: ResolvedSchema = computed(lambda self: self._input_then_results())

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
        """The columns of the results."""
        first = len(self.input.schema)
        columns = self.schema.columns[first:]
        return [FieldReference(c.name, c.data_type, 0, first + i) for i, c in enumerate(columns)]

    def describe(self) -> str:
        shown = []
        for call, guard, name in zip(self.calls, self.guards, self.names, strict=True):
            where = "" if guard is None else f" where {guard.as_summary_string()}"
            shown.append(f"as({call.as_summary_string()}, {name}){where}")
        return f"(calls: [{', '.join(shown)}], mode: [{'ordered' if self.is_ordered else 'unordered'}])"
