"""Decide whether the rows of a query depend on the session time zone.

Instants (``TIMESTAMP_LTZ``) that are only passed on do not depend on it. Computations from an instant, or that return
one, are assumed to depend on it.
"""

from __future__ import annotations

from ir.call_expressions import Call
from ir.expressions import FieldReference, ResolvedExpression
from ir.light_typing import Final
from ir.operations.operation import QueryOperation
from ir.types import TIMESTAMP_LTZ, LogicalType

# The session time zone setting of Spark.
TIME_ZONE: Final = "spark.sql.session.timeZone"


def depends_on_time_zone(operation: QueryOperation) -> bool:
    """Whether a query computes something that another time zone may change."""
    seen: set[ResolvedExpression] = set()
    for part in operation.walk_with_subqueries():
        waiting = list(part.expressions)
        while waiting:
            current = waiting.pop()
            if current not in seen:
                seen.add(current)
                if _depends(current):
                    return True
                waiting.extend(current.children)
    return False


def _depends(expression: ResolvedExpression) -> bool:
    if isinstance(expression, FieldReference):
        return False
    if isinstance(expression, Call) and expression.function.reads_time_zone:
        return True
    return _holds_instant(expression.data_type) or any(_holds_instant(child.data_type) for child in expression.children)


def _holds_instant(data_type: LogicalType) -> bool:
    waiting = [data_type]
    while waiting:
        current = waiting.pop()
        if current.as_nullable() is TIMESTAMP_LTZ:
            return True
        waiting.extend(current.children)
    return False
