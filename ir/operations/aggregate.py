"""Grouping and aggregation."""

from __future__ import annotations

from typing import ClassVar

from ir.expressions import ResolvedExpression
from ir.nodes import computed, node
from ir.operations.operation import QueryOperation
from ir.schema import Column, ResolvedSchema


@node
class Aggregate(QueryOperation):
    """One row for each group of rows of ``input`` with equal ``group_keys``; without keys, one row in any case.

    The columns are the keys, then the ``aggregates``, under ``names``.
    """

    input: QueryOperation
    group_keys: tuple[ResolvedExpression, ...]
    aggregates: tuple[ResolvedExpression, ...]
    names: tuple[str, ...]
    _schema: ResolvedSchema = computed(lambda self: self._keys_then_aggregates())

    title: ClassVar[str] = "Aggregate"

    def _keys_then_aggregates(self) -> ResolvedSchema:
        expressions = self.group_keys + self.aggregates
        return ResolvedSchema(tuple([Column(n, e.data_type) for n, e in zip(self.names, expressions, strict=True)]))

    @property
    def schema(self) -> ResolvedSchema:
        return self._schema

    @property
    def inputs(self) -> tuple[QueryOperation, ...]:
        return (self.input,)

    def describe(self) -> str:
        keys = ", ".join(key.as_summary_string() for key in self.group_keys)
        aggregates = ", ".join(aggregate.as_summary_string() for aggregate in self.aggregates)
        return f"(group: [{keys}], agg: [{aggregates}])"
