"""Serializes query operations, expressions and types as SQL.

The modules of each kind, such as those of the layout NESTED or MERGED, are loaded with the first text of that kind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ir import rendering
from ir.errors import TableException
from ir.rendering import Dialect, Layout

if TYPE_CHECKING:
    from ir.expressions import ResolvedExpression
    from ir.operations.operation import QueryOperation
    from ir.types import LogicalType


class _Serializer:
    """Implements ``as_serializable_string`` of every node."""

    def operation(self, operation: QueryOperation, dialect: Dialect, layout: Layout) -> str:
        if layout is Layout.NESTED:
            from serializer.nested import nested_text

            return nested_text(operation, dialect)
        if dialect is Dialect.FLINK:
            raise TableException(
                "The layout MERGED is for the dialect SPARK alone: in the text for Flink, the form of each SELECT says "
                "which operation it was, and Flink reads some merged forms with another meaning. Use the layout NESTED "
                "for the dialect FLINK."
            )
        from serializer.merged import merged_text

        return merged_text(operation)

    def normal_form(self, operation: QueryOperation) -> QueryOperation:
        from ir.normalization.normalize import normalize

        return normalize(operation)

    def expression(self, expression: ResolvedExpression, dialect: Dialect) -> str:
        from serializer.nested import expression_text

        return expression_text(expression, dialect)

    def data_type(self, data_type: LogicalType, dialect: Dialect) -> str:
        from serializer.types import argument_type_text

        return argument_type_text(data_type, dialect)


rendering.register(_Serializer())
