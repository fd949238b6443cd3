"""Convert columns whose types PySpark cannot fetch into types that it can."""

from __future__ import annotations

from ir import types as t
from ir.calls import call
from ir.equal_names import change_query
from ir.errors import TableException
from ir.expressions import FieldReference, ResolvedExpression, SymbolLiteral, TypeLiteral
from ir.functions import arithmetic as ar
from ir.functions.conversion import CAST
from ir.functions.temporal import EXTRACT
from ir.functions.text_formats import TO_JSON
from ir.literals import literal
from ir.operations.operation import QueryOperation
from ir.operations.project import project
from ir.types import LogicalType
from tableapi.spark.types import replace_unknown_systems


def fetchable(operation: QueryOperation) -> QueryOperation:
    """Convert year-month intervals to whole months, and variants to JSON strings.

    An interval of months, days and microseconds becomes a string that Spark can read back.

    Raises:
        TableException: a value of such a type is nested in an array, a map or a row.
    """
    return change_query(operation, _make_fetchable)


def _make_fetchable(operation: QueryOperation) -> QueryOperation:
    columns = operation.schema.columns
    references = [FieldReference(c.name, c.data_type, 0, i) for i, c in enumerate(columns)]
    return project(operation, tuple([_fetchable(r) for r in references]), operation.schema.names)


def _fetchable(column: FieldReference) -> ResolvedExpression:
    data_type = column.data_type
    if isinstance(data_type, t.YearMonthIntervalType):
        return _months(column, data_type)
    if isinstance(data_type, t.VariantType):
        return call(TO_JSON, (column,))
    if isinstance(data_type, t.CalendarIntervalType):
        return call(CAST, (column, TypeLiteral(t.STRING)))
    known = replace_unknown_systems(data_type)
    if known is not data_type:
        return call(CAST, (column, TypeLiteral(known)))
    if any(map(_holds_unfetchable, data_type.children)):
        raise TableException(
            f"The column {column.name!r} of type {data_type.as_summary_string()} cannot be fetched: Spark's Python "
            "client reads no INTERVAL, but of days and less, and no VARIANT inside of another type. Select its parts "
            "or cast it."
        )
    return column


def _holds_unfetchable(data_type: LogicalType) -> bool:
    unfetchable = (t.YearMonthIntervalType, t.CalendarIntervalType, t.VariantType)
    return isinstance(data_type, unfetchable) or any(map(_holds_unfetchable, data_type.children))


def _months(column: FieldReference, data_type: t.YearMonthIntervalType) -> ResolvedExpression:
    if data_type.start == data_type.end:
        count = call(CAST, (column, TypeLiteral(t.INT)))
        return count if data_type.start == t.IntervalField.MONTH else call(ar.TIMES, (count, literal(12)))
    years = call(EXTRACT, (SymbolLiteral("YEAR"), column))
    months = call(CAST, (call(EXTRACT, (SymbolLiteral("MONTH"), column)), TypeLiteral(t.INT)))
    return call(ar.PLUS, (call(ar.TIMES, (years, literal(12))), months))
