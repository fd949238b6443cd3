"""Arguments that are intervals: any of the same family is accepted, whatever its fields.

Spark casts an interval of days and seconds to any other, and one of years and months likewise, and cuts off what is
finer than the last field. A constant of which anything would be cut off is refused.
"""

from __future__ import annotations

import attrs

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
    """Whether both are intervals of years and months, or both of days and seconds."""
    return isinstance(given, IntervalType) and type(given) is type(wanted)


def is_exact(value: ValueLiteral, wanted: IntervalType) -> bool:
    """Whether an interval of the same family has nothing finer than the last field of a type."""
    units = _MICROSECONDS if isinstance(wanted, DayTimeIntervalType) else _MONTHS
    return value.is_null or value.value % units[wanted.end] == 0


@attrs.frozen(eq=False, repr=False)
class Interval(Explicit):
    """An interval of the family of a type, or what Spark casts to the type by itself."""

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
