"""Partitioning of rows, and sorting within partitions."""

from __future__ import annotations

from collections.abc import Sequence

from ir.expressions import ResolvedExpression, SortOrder
from ir.light_typing import ClassVar
from ir.nodes import computed_field, node
from ir.operations.operation import QueryOperation, only_input
from ir.schema import ResolvedSchema


@node
class Distribute(QueryOperation):
    """The rows of ``input``, partitioned so that rows with equal ``keys`` are in one partition."""

    input: QueryOperation
    keys: tuple[ResolvedExpression, ...]
    inputs: tuple[QueryOperation, ...] = only_input()
    schema: ResolvedSchema = computed_field(lambda self: self.input.schema)

    title: ClassVar[str] = "Distribute"
    noun: ClassVar[str] = "distribution"
    adjective: ClassVar[str] = "distributed"
    sql_clause: ClassVar[str] = "DISTRIBUTE BY"
    keeps_columns: ClassVar[bool] = True

    def describe(self) -> str:
        return f"(keys: [{', '.join(key.as_summary_string() for key in self.keys)}])"


@node
class SortPartitions(QueryOperation):
    """The rows of ``input``, sorted by ``order`` within each partition only."""

    input: QueryOperation
    order: tuple[SortOrder, ...]
    inputs: tuple[QueryOperation, ...] = only_input()
    schema: ResolvedSchema = computed_field(lambda self: self.input.schema)

    title: ClassVar[str] = "SortPartitions"
    noun: ClassVar[str] = "sort within partitions"
    adjective: ClassVar[str] = "sorted"
    sql_clause: ClassVar[str] = "SORT BY"
    keeps_columns: ClassVar[bool] = True

    @property
    def needs_all_rows(self) -> bool:
        return True

    def refused_recursion(self, reads: Sequence[bool]) -> str | None:
        return "below an order"

    def describe(self) -> str:
        return f"(order: [{', '.join(order.as_summary_string() for order in self.order)}])"
