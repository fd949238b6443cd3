"""Double parentheses as marks in Flink's SQL: Flink ignores them, and the parser chooses another reading by them."""

from __future__ import annotations

from ir.call_expressions import Call
from ir.expressions import ResolvedExpression
from ir.functions.flink import MARK


def mark(value: ResolvedExpression) -> ResolvedExpression:
    """Return a value in double parentheses."""
    return Call(MARK, (value,), value.data_type)


def is_marked(value: ResolvedExpression) -> bool:
    """Whether a value is in double parentheses."""
    return isinstance(value, Call) and value.function is MARK
