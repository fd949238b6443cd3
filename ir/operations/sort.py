"""Sorting, offset and fetch."""

from __future__ import annotations

from collections.abc import Sequence

from ir.errors import ValidationException
from ir.expressions import ResolvedExpression, SortOrder
from ir.light_typing import ClassVar
from ir.nodes import computed_field, node
from ir.operations.operation import QueryOperation, only_input
from ir.schema import ResolvedSchema


@node
class Sort(QueryOperation):
    """At most ``fetch`` rows of ``input`` in order, after the first ``offset`` rows.

    Without ``order``, the order is undefined and the operation is only a limit.
    """

    input: QueryOperation
    order: tuple[SortOrder, ...] = ()
    offset: int | None = None
    fetch: int | None = None
    inputs: tuple[QueryOperation, ...] = only_input()
    schema: ResolvedSchema = computed_field(lambda self: self._checked_schema_of_input())

    title: ClassVar[str] = "Sort"
    noun: ClassVar[str] = "sort"
    adjective: ClassVar[str] = "sorted"
    sql_clause: ClassVar[str] = "ORDER BY"
    keeps_columns: ClassVar[bool] = True

    def _checked_schema_of_input(self) -> ResolvedSchema:
        for name, count in (("offset", self.offset), ("fetch", self.fetch)):
            if count is not None and not 0 <= count < 2**31:
                raise ValidationException(f"The {name} must be a whole number from 0 to {2**31 - 1}, but is {count}.")
        return self.input.schema

    @property
    def is_limited(self) -> bool:
        """Whether it has an offset or a fetch."""
        return self.fetch is not None or self.offset is not None

    @property
    def needs_all_rows(self) -> bool:
        return bool(self.order)

    @property
    def label(self) -> str:
        return self.noun if self.order else "limit"

    def refused_recursion(self, reads: Sequence[bool]) -> str | None:
        return "below an order" if self.order else super().refused_recursion(reads)

    @property
    def expressions(self) -> tuple[ResolvedExpression, ...]:
        return self.order

    def describe(self) -> str:
        parts = [f"order: [{', '.join(o.as_summary_string() for o in self.order)}]"]
        if self.offset is not None:
            parts.append(f"offset: [{self.offset}]")
        if self.fetch is not None:
            parts.append(f"fetch: [{self.fetch}]")
        return f"({', '.join(parts)})"
