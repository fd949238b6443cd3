"""Types of ``+ - * / %``, ``DIV`` and unary minus, as Spark's analyzer infers them in ANSI mode.

Sources: the classes ``BinaryArithmeticWithDatetimeResolver``, ``AnsiTypeCoercion`` and ``DecimalPrecisionTypeCoercion``
of Spark 4.3; https://spark.apache.org/docs/latest/sql-ref-ansi-compliance.html#arithmetic-operations
"""

from __future__ import annotations

from ir.casts import cast_is_nullable, least_common_type, plain_type
from ir.decimals import (
    decimal_of_literal,
    decimal_product,
    decimal_quotient,
    decimal_remainder,
    decimal_sum,
)
from ir.inference.call_context import CallContext
from ir.light_tuples import NamedTuple
from ir.types import (
    BIGINT,
    DATE,
    DOUBLE,
    TIMESTAMP,
    TIMESTAMP_LTZ,
    BigIntType,
    CalendarIntervalType,
    DateType,
    DayTimeIntervalType,
    DecimalType,
    IntegralType,
    IntervalField,
    IntervalType,
    LocalZonedTimestampType,
    LogicalType,
    NullType,
    NumericType,
    StringType,
    TimestampType,
    TimeType,
    YearMonthIntervalType,
)

_DAYS = DayTimeIntervalType(IntervalField.DAY, IntervalField.DAY)
_DAY_TO_SECOND = DayTimeIntervalType()
_HOUR_TO_SECOND = DayTimeIntervalType(IntervalField.HOUR, IntervalField.SECOND)
_DECIMAL_RESULTS = {
    "+": decimal_sum,
    "-": decimal_sum,
    "*": decimal_product,
    "/": decimal_quotient,
    "%": decimal_remainder,
}


class _Typing(NamedTuple):
    """The types of the cast operands and of the result; ``may_fail`` makes the result nullable in any case."""

    left: LogicalType
    right: LogicalType
    result: LogicalType
    may_fail: bool = False

    def swapped(self) -> _Typing:
        return _Typing(self.right, self.left, self.result, self.may_fail)


def arithmetic(operator: str, context: CallContext) -> tuple[tuple[LogicalType, LogicalType], LogicalType] | None:
    """Return the types to which the operands of ``+ - * / %`` or ``DIV`` are cast, and the type of the result.

    Return None if Spark rejects the operands. The context holds the operands as written, because the precision of an
    integer literal beside a decimal is its number of digits.
    """
    left, right = (plain_type(t) for t in context.argument_types)
    operator = operator.upper()
    typing = _type_times(operator, left, right) or _type_numbers(operator, left, right, context)
    if typing is None:
        return None
    operands = (_cast(left, typing.left), _cast(right, typing.right))
    nullable = typing.may_fail or operands[0].nullable or operands[1].nullable
    return operands, typing.result.with_nullability(nullable)


def negation(context: CallContext) -> LogicalType | None:
    """Return the type to which the operand of unary minus is cast, which is also the type of the result, or None."""
    operand = plain_type(context.argument_types[0])
    if isinstance(operand, (NumericType, IntervalType, CalendarIntervalType)):
        return operand
    return _cast(operand, DOUBLE) if isinstance(operand, (StringType, NullType)) else None


def _cast(source: LogicalType, target: LogicalType) -> LogicalType:
    return target.with_nullability(cast_is_nullable(source, target))


# --- dates, times and intervals --------------------------------------------------------------------------------------


def _type_times(operator: str, left: LogicalType, right: LogicalType) -> _Typing | None:
    match operator:
        case "+":
            return (
                _interval_sum(left, right)
                or _calendar_sum(left, right)
                or _type_moved(left, right)
                or _type_moved_from_right(left, right)
            )
        case "-":
            return (
                _interval_sum(left, right)
                or _calendar_sum(left, right, with_null=True)
                or _difference(left, right)
                or _type_moved(left, right)
            )
        case "*":
            return _type_scaled(left, right) or _type_scaled_from_right(left, right)
        case "/":
            return _type_scaled(left, right)
        case "DIV":
            both = _interval_sum(left, right)
            return None if both is None else both._replace(result=BIGINT, may_fail=True)
    return None


def _interval_sum(left: LogicalType, right: LogicalType) -> _Typing | None:
    """Type two intervals of one kind, or an interval and NULL; the result has the fields of both."""
    intervals = isinstance(left, IntervalType), isinstance(right, IntervalType)
    if not any(intervals) or not all(isinstance(t, (IntervalType, NullType)) for t in (left, right)):
        return None
    common = least_common_type((left, right))
    return None if common is None else _Typing(common, common, common)


def _calendar_sum(left: LogicalType, right: LogicalType, *, with_null: bool = False) -> _Typing | None:
    """Type two calendar intervals (months, days, microseconds); NULL is allowed as the subtrahend only."""
    if not isinstance(left, CalendarIntervalType):
        return None
    fits = isinstance(right, CalendarIntervalType) or (with_null and isinstance(right, NullType))
    return _Typing(left, left, left) if fits else None


def _type_moved_from_right(left: LogicalType, right: LogicalType) -> _Typing | None:
    typing = _type_moved(right, left)
    return None if typing is None else typing.swapped()


def _type_moved(point: LogicalType, amount: LogicalType) -> _Typing | None:
    """Type a date, time or timestamp plus an interval or a number of days."""
    match point, amount:
        case DateType(), DayTimeIntervalType() | NullType():
            if isinstance(amount, NullType):
                return _Typing(TIMESTAMP_LTZ, _DAY_TO_SECOND, TIMESTAMP_LTZ)
            whole_days = amount.end is IntervalField.DAY
            return _Typing(DATE, amount, DATE) if whole_days else _Typing(TIMESTAMP_LTZ, amount, TIMESTAMP_LTZ)
        case DateType(), YearMonthIntervalType() | CalendarIntervalType():
            return _Typing(point, amount, DATE)
        case DateType(), IntegralType():
            # Spark's DateAdd takes days of at most 32 bits.
            return None if isinstance(amount, BigIntType) else _Typing(point, amount, DATE)
        case TimestampType() | LocalZonedTimestampType(), IntervalType() | CalendarIntervalType():
            return _Typing(point, amount, point)
        case TimestampType() | LocalZonedTimestampType(), NullType():
            return _Typing(point, _DAY_TO_SECOND, point)
        case TimeType(), DayTimeIntervalType() | NullType():
            return _type_moved_time(point, _DAY_TO_SECOND if isinstance(amount, NullType) else amount)
        case StringType(), DayTimeIntervalType() | CalendarIntervalType():
            # Spark casts the string to a timestamp, and the sum back to a string.
            return _Typing(TIMESTAMP_LTZ, amount, point)
    return None


def _type_moved_time(point: TimeType, amount: LogicalType) -> _Typing:
    in_seconds = isinstance(amount, DayTimeIntervalType) and amount.end is IntervalField.SECOND
    return _Typing(point, amount, TimeType(max(6, point.precision) if in_seconds else point.precision), may_fail=True)


def _difference(left: LogicalType, right: LogicalType) -> _Typing | None:
    """Type the difference of two dates, times or timestamps; one may be NULL or a string that is cast to the other."""
    if isinstance(left, DateType) and isinstance(right, StringType) and right.has_collation:
        # Spark reads such a string as a number of days.
        return None
    first, second = _convert_point(left, right), _convert_point(right, left)
    match first, second:
        case DateType(), DateType():
            return _Typing(first, second, _DAYS)
        case TimeType(), TimeType():
            return _Typing(first, second, _HOUR_TO_SECOND, may_fail=True)
        case (TimestampType() | LocalZonedTimestampType(), TimestampType() | LocalZonedTimestampType()):
            point = first if type(first) is type(second) else TIMESTAMP
            return _Typing(point, point, _DAY_TO_SECOND)
    return None


def _convert_point(data_type: LogicalType, other: LogicalType) -> LogicalType:
    reads_as_other = isinstance(data_type, (NullType, StringType)) or (
        isinstance(data_type, DateType) and isinstance(other, (TimestampType, LocalZonedTimestampType))
    )
    return other if reads_as_other else data_type


def _type_scaled_from_right(left: LogicalType, right: LogicalType) -> _Typing | None:
    typing = _type_scaled(right, left)
    return None if typing is None else typing.swapped()


def _type_scaled(interval: LogicalType, factor: LogicalType) -> _Typing | None:
    """Type an interval times or divided by a number; the result has all fields of its kind."""
    if isinstance(interval, CalendarIntervalType) and isinstance(factor, (NumericType, StringType, NullType)):
        # Spark multiplies months, days and microseconds separately, and declares the product nullable.
        return _Typing(interval, DOUBLE, interval, may_fail=True)
    if not isinstance(interval, IntervalType) or not isinstance(factor, (NumericType, StringType, NullType)):
        return None
    number = factor if isinstance(factor, NumericType) else DOUBLE
    return _Typing(interval, number, type(interval)())


# --- numbers ---------------------------------------------------------------------------------------------------------


def _type_numbers(operator: str, left: LogicalType, right: LogicalType, context: CallContext) -> _Typing | None:
    operands = _common_operands(operator, left, right, context)
    if operands is None:
        return None
    first, second = operands
    if operator == "DIV":
        return _type_integer_quotient(first, second)
    # Spark divides NULL / DECIMAL as DOUBLE, but DECIMAL / NULL as DECIMAL.
    null_dividend = operator == "/" and isinstance(left, NullType)
    if isinstance(first, DecimalType) and isinstance(second, DecimalType) and not null_dividend:
        result: LogicalType = _DECIMAL_RESULTS[operator](first, second)
    else:
        first = second = result = DOUBLE if operator == "/" else first
    return _Typing(first, second, result, may_fail=operator in "/%")


def _type_integer_quotient(left: LogicalType, right: LogicalType) -> _Typing | None:
    if isinstance(left, DecimalType):
        return _Typing(left, right, BIGINT, may_fail=True)
    if isinstance(left, IntegralType):
        return _Typing(BIGINT, BIGINT, BIGINT, may_fail=True)
    return None


def _common_operands(
    operator: str, left: LogicalType, right: LogicalType, context: CallContext
) -> tuple[LogicalType, LogicalType] | None:
    """Return the operand types before the rules of the operator: one common type, or two decimals."""
    kinds = (NumericType, StringType, NullType)
    if not (isinstance(left, kinds) and isinstance(right, kinds)):
        return None
    if not (isinstance(left, NumericType) or isinstance(right, NumericType)):
        # Spark takes two NULLs as numbers, but rejects two strings.
        if isinstance(left, StringType) or isinstance(right, StringType):
            return None
        return (BIGINT, BIGINT) if operator == "DIV" else (DOUBLE, DOUBLE)
    exact = all(isinstance(t, (IntegralType, DecimalType)) for t in (left, right))
    if exact and (isinstance(left, DecimalType) or isinstance(right, DecimalType)):
        return _convert_to_decimal(left, context, 0), _convert_to_decimal(right, context, 1)
    common = least_common_type((left.as_nullable(), right.as_nullable()))
    return None if common is None else (common, common)


def _convert_to_decimal(data_type: LogicalType, context: CallContext, position: int) -> LogicalType:
    value = context.literal_value(position) if context.is_literal(position) else None
    return decimal_of_literal(data_type, value) or data_type
