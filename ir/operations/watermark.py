"""Watermarks, which state how late the rows of a stream may arrive."""

from __future__ import annotations

from ir.errors import ValidationException
from ir.expressions import FieldReference, ResolvedExpression, ValueLiteral
from ir.light_typing import ClassVar
from ir.nodes import computed_field, node
from ir.operations.operation import QueryOperation, only_input
from ir.schema import ResolvedSchema
from ir.types import LocalZonedTimestampType, RowType, TimestampType


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


def make_watermark(operation: QueryOperation, column: FieldReference, delay: ValueLiteral) -> Watermark:
    """Return the operation with a watermark.

    Raises:
        ValidationException: the delay is negative, or the rows are those of a stream and the column is not a time.
    """
    if isinstance(delay.value, int) and delay.value < 0:
        raise ValidationException("The delay of a watermark must not be negative.")
    # Spark ignores the watermark of a table, whatever its column is.
    if operation.is_unbounded and not _is_time(column):
        is_local = isinstance(column.data_type, TimestampType)
        advice = (
            f" Without a time zone, a time is no instant: declare the column as TIMESTAMP_LTZ, or add "
            f"CAST({column.name} AS TIMESTAMP_LTZ) under another name."
            if is_local
            else ""
        )
        raise ValidationException(
            f"The watermark of a stream is that of a column of type TIMESTAMP_LTZ, and {column.name} is of type "
            f"{column.data_type.as_summary_string()}.{advice}",
            condition="EVENT_TIME_IS_NOT_ON_TIMESTAMP_TYPE",
        )
    return Watermark(operation, column, delay)


def _is_time(column: FieldReference) -> bool:
    """Whether a column is an instant or a time window; the end of the window is its time."""
    data_type = column.data_type
    if isinstance(data_type, RowType):
        return [field.name for field in data_type.fields] == ["start", "end"]
    return isinstance(data_type, LocalZonedTimestampType)
