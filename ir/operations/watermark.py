"""Watermarks, which state how late the rows of a stream may arrive."""

from __future__ import annotations

from typing import ClassVar

from ir.expressions import FieldReference, ResolvedExpression, ValueLiteral
from ir.nodes import computed_field, node
from ir.operations.operation import QueryOperation, only_input
from ir.schema import ResolvedSchema


@node
class Watermark(QueryOperation):
    """The rows of ``input``, which arrive at most ``delay`` after a row with a greater value of ``column``.

    Spark ignores a watermark on a table, which is complete. See
    https://spark.apache.org/docs/latest/streaming/apis-on-dataframes-and-datasets.html#handling-late-data-and-watermarking
    """

    input: QueryOperation
    column: FieldReference
    delay: ValueLiteral
    inputs: tuple[QueryOperation, ...] = only_input()
    schema: ResolvedSchema = computed_field(lambda self: self.input.schema)

    title: ClassVar[str] = "Watermark"
    noun: ClassVar[str] = "watermark"
    feature: ClassVar[str | None] = "WATERMARK"
    adjective: ClassVar[str] = "watermarked"
    sql_clause: ClassVar[str] = "WATERMARK"
    keeps_columns: ClassVar[bool] = True

    @property
    def expressions(self) -> tuple[ResolvedExpression, ...]:
        return (self.column, self.delay)

    def describe(self) -> str:
        return f"(column: [{self.column.as_summary_string()}], delay: [{self.delay.as_summary_string()}])"
