"""Watermarks of fluent queries."""

from __future__ import annotations

from typing import Any

from ir.errors import ValidationException
from ir.expressions import Expression as Unresolved
from ir.expressions import ValueLiteral
from ir.operations.watermark import make_watermark
from ir.resolution import operations as resolve
from ir.types import DayTimeIntervalType
from tableapi.expression import Expression, unwrap
from tableapi.queries.query import Query


def add_watermark(query: Query, column: Unresolved, delay: Expression[Any]) -> Query:
    """Return a query with a watermark.

    Raises:
        ValidationException: the column does not exist or is not a time, or the delay is not an interval.
    """
    time = resolve.column_of(query.operation, column, "watermark")
    late = unwrap(delay)
    if not isinstance(late, ValueLiteral) or not isinstance(late.data_type, DayTimeIntervalType):
        raise ValidationException(
            "The delay of a watermark is a constant interval of days to seconds, such as lit(10).seconds, but "
            f"{delay!r} was given."
        )
    return query.next(make_watermark(query.operation, time, late))
