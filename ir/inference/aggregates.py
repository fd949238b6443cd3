"""The types of aggregate functions, as Spark's analyzer finds them in ANSI mode.

Sources: the classes in ``org.apache.spark.sql.catalyst.expressions.aggregate`` of Spark 4.3 and
https://spark.apache.org/docs/latest/sql-ref-functions-builtin.html#aggregate-functions
"""

from __future__ import annotations

from collections.abc import Callable

from ir.casts import NUMERIC_FAMILY, TypeFamily, cast_is_nullable, implicit_cast, is_groupable, is_orderable, plain_type
from ir.inference.call_context import CallContext
from ir.types import (
    BIGINT,
    BYTES,
    DOUBLE,
    MAX_DECIMAL_PRECISION,
    NULL,
    STRING,
    ArrayType,
    DecimalType,
    IntegralType,
    IntervalType,
    LocalZonedTimestampType,
    LogicalType,
    NullType,
    NumericType,
)

Inferred = tuple[tuple[LogicalType, ...], LogicalType]

_INTERVALS = TypeFamily("INTERVAL", (IntervalType,), NULL, from_string=False)
_SUM_DIGITS = 10
_AVERAGE_DIGITS = 4


def aggregate(name: str, context: CallContext) -> Inferred | None:
    """Return the types to which the arguments of an aggregate function are cast and that of its result.

    ``name`` is the function's name in SQL, in lower case. None where Spark refuses the arguments. Whatever the
    arguments are, only counts and lists are never NULL, since there may be no rows.
    """
    arguments = tuple([plain_type(t) for t in context.argument_types])
    inferred = _infer(name, arguments)
    if inferred is not None and context.distinct and not all(map(is_groupable, inferred[0])):
        return None
    return inferred


def _infer(name: str, arguments: tuple[LogicalType, ...]) -> Inferred | None:
    if name == "count":
        return arguments, BIGINT.not_null()
    if name == "listagg":
        return _listagg(arguments)
    return _SINGLE[name](arguments[0]) if len(arguments) == 1 else None


def _summable(argument: LogicalType) -> LogicalType | None:
    """Numbers and intervals; timestamps count as their seconds, text as DOUBLE."""
    if isinstance(argument, LocalZonedTimestampType):
        return DOUBLE.with_nullability(cast_is_nullable(argument, DOUBLE))
    return implicit_cast(argument, (NUMERIC_FAMILY, _INTERVALS))


def _sum(argument: LogicalType) -> Inferred | None:
    summed = _summable(argument)
    if summed is None:
        return None
    result = summed
    if isinstance(summed, DecimalType):
        result = _widened(summed, _SUM_DIGITS, 0)
    elif isinstance(summed, IntegralType):
        result = BIGINT
    elif isinstance(summed, NumericType):
        result = DOUBLE
    return (summed,), result.as_nullable()


def _average(argument: LogicalType) -> Inferred | None:
    averaged = _summable(argument)
    if averaged is None:
        return None
    result: LogicalType = DOUBLE
    if isinstance(averaged, DecimalType):
        result = _widened(averaged, _AVERAGE_DIGITS, _AVERAGE_DIGITS)
    elif isinstance(averaged, IntervalType):
        result = type(averaged)()
    return (averaged,), result


def _widened(decimal: DecimalType, digits: int, fraction_digits: int) -> DecimalType:
    return DecimalType(
        min(decimal.precision + digits, MAX_DECIMAL_PRECISION),
        min(decimal.scale + fraction_digits, MAX_DECIMAL_PRECISION),
    )


def _extreme(argument: LogicalType) -> Inferred | None:
    return ((argument,), argument.as_nullable()) if is_orderable(argument) else None


def _moment(argument: LogicalType) -> Inferred | None:
    number = implicit_cast(argument, DOUBLE)
    return None if number is None else ((number,), DOUBLE)


def _any_of_them(argument: LogicalType) -> Inferred | None:
    return (argument,), argument.as_nullable()


def _list(argument: LogicalType) -> Inferred | None:
    # NULLs are not collected, so that the elements are never NULL.
    return (argument,), ArrayType(argument.not_null(), nullable=False)


def _listagg(arguments: tuple[LogicalType, ...]) -> Inferred | None:
    """Text or bytes joined; the separator, where there is one, is of the same kind or NULL."""
    text, *separators = arguments
    joined = implicit_cast(text, (STRING, BYTES))
    if joined is None or len(separators) > 1:
        return None
    casts = [s if isinstance(s, NullType) else implicit_cast(s, (STRING, BYTES)) for s in separators]
    found = tuple([c for c in casts if c is not None and (isinstance(c, NullType) or joined.same_type(c))])
    return ((joined, *found), joined.as_nullable()) if len(found) == len(separators) else None


_SINGLE: dict[str, Callable[[LogicalType], Inferred | None]] = {
    "sum": _sum,
    "avg": _average,
    "min": _extreme,
    "max": _extreme,
    "stddev_pop": _moment,
    "stddev_samp": _moment,
    "var_pop": _moment,
    "var_samp": _moment,
    "first_value": _any_of_them,
    "last_value": _any_of_them,
    "collect_list": _list,
    "array_agg": _list,
}
