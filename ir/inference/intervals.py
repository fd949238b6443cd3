"""Interval arguments: accept any interval of the same family with any fields.

Spark casts day-time intervals to each other, and year-month intervals likewise, and truncates fields that the target
lacks. A constant that would lose a nonzero field is rejected.
"""

from __future__ import annotations

from ir import light_attrs as attrs
from ir.expressions import ValueLiteral
from ir.inference.arguments import Explicit
from ir.inference.call_context import CallContext
from ir.types import DayTimeIntervalType, IntervalField, IntervalType, LogicalType

_MICROSECONDS = {
    IntervalField.DAY: 86_400_000_000,
    IntervalField.HOUR: 3_600_000_000,
    IntervalField.MINUTE: 60_000_000,
    IntervalField.SECOND: 1,
}
_MONTHS = {IntervalField.YEAR: 12, IntervalField.MONTH: 1}


def is_same_family(given: LogicalType, wanted: LogicalType) -> bool:
    """Whether both are year-month intervals, or both are day-time intervals."""
    return isinstance(given, IntervalType) and type(given) is type(wanted)


def is_exact(value: ValueLiteral, wanted: IntervalType) -> bool:
    """Whether an interval fits the last field of a type of the same family without truncation."""
    units = _MICROSECONDS if isinstance(wanted, DayTimeIntervalType) else _MONTHS
    return value.is_null or value.value % units[wanted.end] == 0


@attrs.frozen(eq=False, repr=False)
class Interval(Explicit):
    """Accepts an interval of the family of a type, or a value that Spark casts to the type implicitly."""

    def infer_argument(self, context: CallContext, position: int) -> LogicalType | None:
        given = context.argument_types[position]
        wanted = self.data_type
        if not context.is_value(position) or not is_same_family(given, wanted):
            return Explicit.infer_argument(self, context, position)
        assert isinstance(wanted, IntervalType)
        constant = context.literal(position)
        if constant is not None and not is_exact(constant, wanted):
            return None
        return wanted.with_nullability(given.nullable)

    def describe(self) -> str:
        return f"<{self.data_type.as_nullable().as_summary_string()}>"
