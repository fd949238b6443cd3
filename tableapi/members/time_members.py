"""The members of expressions for times and intervals."""

from __future__ import annotations

import datetime as dt

from ir import types as t
from ir.errors import ValidationException
from ir.expressions import Expression as Unresolved
from ir.expressions import SymbolLiteral, TypeLiteral, ValueLiteral
from ir.functions.builtins import BUILT_INS
from ir.light_typing import TYPE_CHECKING, Any
from ir.literals import literal
from ir.types import IntervalField, IntervalType, LogicalType
from ir.unresolved import UnresolvedCall
from tableapi.lazy import lazy
from tableapi.tracebacks import boundaries

if TYPE_CHECKING:
    from ir.functions import arithmetic as ar
    from ir.functions import calendar_fields, conversion, time_units
    from tableapi import expression as fluent
    from tableapi.expression import Expression
    from tableapi.members import symbols
    from tableapi.members.symbols import TimeIntervalUnit
else:
    fluent = lazy(__name__, "tableapi.expression")
    ar = lazy(__name__, "ir.functions.arithmetic")
    conversion = lazy(__name__, "ir.functions.conversion")
    symbols = lazy(__name__, "tableapi.members.symbols")
    calendar_fields = lazy(__name__, "ir.functions.calendar_fields")
    time_units = lazy(__name__, "ir.functions.time_units")

_SECOND = 1_000_000
_DAY = 86_400 * _SECOND
_MONTHS = t.YearMonthIntervalType(IntervalField.MONTH, IntervalField.MONTH, nullable=False)


@boundaries
class TimeMembers:
    """A base class of expressions with the members for times and intervals."""

    __slots__ = ()

    _expression: Unresolved

    def extract(self, time_interval_unit: TimeIntervalUnit) -> Expression[Any]:
        """Return a field of a date, a time or an interval.

        Raises:
            ValidationException: the unit is not a ``TimeIntervalUnit``.
        """
        if not isinstance(time_interval_unit, symbols.TimeIntervalUnit):
            raise ValidationException(f"extract takes a TimeIntervalUnit, but was given {time_interval_unit!r}.")
        is_of_flink = time_interval_unit.value in calendar_fields.CALENDAR_FIELDS
        name = "calendarField" if is_of_flink else "extract"
        unit = SymbolLiteral(time_interval_unit.value)
        return _wrap(UnresolvedCall(BUILT_INS.by_name(name), (unit, self._expression)))

    def floor(self, time_interval_unit: TimeIntervalUnit | None = None) -> Expression[Any]:
        """Round a number down to an integer, or a time down to the start of a unit.

        >>> from tableapi import TimeIntervalUnit
        >>> from tableapi.expressions import col
        >>> col("ts").floor(TimeIntervalUnit.MONTH)
        floorTo(ts, MONTH)

        Args:
            time_interval_unit: for a time, a unit from MILLENNIUM to MILLISECOND; weeks begin on Sunday.

        Raises:
            ValidationException: the unit is invalid.
        """
        return self._round("floor", time_interval_unit)

    def ceil(self, time_interval_unit: TimeIntervalUnit | None = None) -> Expression[Any]:
        """Round a number up to an integer, or a time up to the start of the next unit.

        A time at the start of a unit stays unchanged.

        Args:
            time_interval_unit: for a time, a unit from MILLENNIUM to MILLISECOND; weeks begin on Sunday.

        Raises:
            ValidationException: the unit is invalid.
        """
        return self._round("ceil", time_interval_unit)

    def _round(self, name: str, unit: TimeIntervalUnit | None) -> Expression[Any]:
        if unit is None:
            return _wrap(UnresolvedCall(name, (self._expression,)))
        if not isinstance(unit, symbols.TimeIntervalUnit) or unit.value not in time_units.ROUNDING_UNITS:
            units = ", ".join(u.name for u in symbols.TimeIntervalUnit if u.value in time_units.ROUNDING_UNITS)
            raise ValidationException(
                f"{name} takes a TimeIntervalUnit of one field ({units}), but was given {unit!r}."
            )
        function = BUILT_INS.by_name(f"{name}To")
        return _wrap(UnresolvedCall(function, (self._expression, SymbolLiteral(unit.value))))

    @property
    def to_date(self) -> Expression[Any]:
        """The date in a string, parsed as by CAST; the query fails if the string is not a date."""
        return self._cast(t.DATE)

    @property
    def to_time(self) -> Expression[Any]:
        """The time of day in a string, in whole seconds, parsed as by CAST; the query fails if there is none."""
        return self._cast(t.TimeType(0))

    @property
    def to_timestamp(self) -> Expression[Any]:
        """The timestamp in a string, parsed as by CAST; the query fails if the string is not a timestamp."""
        return self._cast(t.TIMESTAMP)

    def _cast(self, data_type: LogicalType) -> Expression[Any]:
        return _wrap(UnresolvedCall(conversion.CAST, (self._expression, TypeLiteral(data_type))))

    def _interval(self, unit: IntervalType, factor: int) -> Expression[Any]:
        inner = self._expression
        if isinstance(inner, ValueLiteral) and isinstance(inner.data_type, t.IntegralType) and not inner.is_null:
            return _wrap(_interval_literal(inner.value * factor, unit))
        return _wrap(UnresolvedCall(ar.TIMES, (inner, _interval_literal(factor, unit))))

    @property
    def year(self) -> Expression[Any]:
        """The number as an interval of years."""
        return self._interval(t.YearMonthIntervalType(IntervalField.YEAR, IntervalField.YEAR, nullable=False), 12)

    @property
    def quarter(self) -> Expression[Any]:
        """The number as an interval of quarters, three months each."""
        return self._interval(_MONTHS, 3)

    @property
    def month(self) -> Expression[Any]:
        """The number as an interval of months."""
        return self._interval(_MONTHS, 1)

    @property
    def week(self) -> Expression[Any]:
        """The number as an interval of weeks, seven days each."""
        return self._interval(_day_time(IntervalField.DAY), 7 * _DAY)

    @property
    def day(self) -> Expression[Any]:
        """The number as an interval of days."""
        return self._interval(_day_time(IntervalField.DAY), _DAY)

    @property
    def hour(self) -> Expression[Any]:
        """The number as an interval of hours."""
        return self._interval(_day_time(IntervalField.HOUR), 3600 * _SECOND)

    @property
    def minute(self) -> Expression[Any]:
        """The number as an interval of minutes."""
        return self._interval(_day_time(IntervalField.MINUTE), 60 * _SECOND)

    @property
    def second(self) -> Expression[Any]:
        """The number as an interval of seconds."""
        return self._interval(_day_time(IntervalField.SECOND), _SECOND)

    @property
    def milli(self) -> Expression[Any]:
        """The number as an interval of milliseconds."""
        return self._interval(_day_time(IntervalField.SECOND), 1000)

    years, quarters, months, weeks, days = year, quarter, month, week, day
    hours, minutes, seconds, millis = hour, minute, second, milli


def _wrap(expression: Unresolved) -> Expression[Any]:
    return fluent.wrap(expression)


def _interval_literal(amount: int, unit: IntervalType) -> ValueLiteral:
    """Build an interval from a number of months or microseconds."""
    if isinstance(unit, t.YearMonthIntervalType):
        return literal(amount, unit)
    try:
        return literal(dt.timedelta(microseconds=amount), unit)
    except OverflowError:
        raise ValidationException(f"An interval of {amount} microseconds is too long; the limit is 2^63 - 1.") from None


def _day_time(field: IntervalField) -> t.DayTimeIntervalType:
    return t.DayTimeIntervalType(field, field, nullable=False)
