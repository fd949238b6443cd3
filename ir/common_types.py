"""Common types of values of several types: in CASE and COALESCE, in set operations, in comparisons.

The rules are those of Spark 4.3 in its default ANSI mode, from the classes ``AnsiTypeCoercion``,
``AnsiStringPromotionTypeCoercion`` and ``DecimalPrecisionTypeCoercion`` of its analyzer:
https://spark.apache.org/docs/latest/sql-ref-ansi-compliance.html#least-common-type-resolution
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from ir.cast_rules import (
    NESTED,
    cast_is_nullable,
    differ_at_most_in_field_names,
    differ_at_most_in_nullability,
    forces_null,
    have_same_field_names,
    is_orderable,
    plain_type,
    precedence,
)
from ir.decimals import decimal_of, decimal_of_literal, holds_all_values, wider_decimal
from ir.types import (
    BIGINT,
    DOUBLE,
    NULL,
    STRING,
    ArrayType,
    CalendarIntervalType,
    DateType,
    DecimalType,
    FloatType,
    FractionalType,
    IntegralType,
    IntervalType,
    LocalZonedTimestampType,
    LogicalType,
    MapType,
    NullType,
    NumericType,
    RowField,
    RowType,
    SpatialType,
    StringType,
    TemporalType,
    TimestampType,
    TimeType,
)

# A string beside a value of these types is not cast to the type.
_NEVER_FROM_TEXT = (StringType, IntervalType, CalendarIntervalType, SpatialType, *NESTED)
_Rule = Callable[[LogicalType, LogicalType], LogicalType | None]


def least_common_type(types: Iterable[LogicalType], *, promote_strings: bool = True) -> LogicalType | None:
    """Return the type of values of several types in CASE, COALESCE, IF, array(), map() and IN, None if Spark has none.

    GREATEST and LEAST do not cast strings (``promote_strings`` is False). The result is nullable if a value or its cast
    is, and so are its elements and fields. A caller whose result is nullable only if all values are (COALESCE) calls
    ``cast_is_nullable`` for each value. Source: ``AnsiTypeCoercion.findWiderCommonType``.
    """
    plain = [plain_type(t) for t in types]
    if not plain:
        return None
    if all(differ_at_most_in_nullability(a, b) for a, b in pairwise(plain)):
        common: LogicalType | None = _merge_all(plain)
    else:
        common = NULL
        for data_type in plain:
            common = _wider(common, data_type, promote_strings)
            if common is None:
                return None
    assert common is not None
    return common.with_nullability(any(cast_is_nullable(t, common) for t in plain))


def tightest_common_type(left: LogicalType, right: LogicalType) -> LogicalType | None:
    """Return the common type of the elements of an array and a value, or of the elements of two arrays.

    Strings are not cast, decimals are not widened, and FLOAT beside an integer stays FLOAT. Source:
    ``TypeCoercion.findTightestCommonType`` with ``findTypeForComplex``.
    """
    left, right = plain_type(left), plain_type(right)
    common = _merge(left, right) if differ_at_most_in_nullability(left, right) else _tightest_of_elements(left, right)
    if common is None:
        return None
    return common.with_nullability(cast_is_nullable(left, common) or cast_is_nullable(right, common))


def set_operation_type(left: LogicalType, right: LogicalType) -> LogicalType | None:
    """Return the type of a column of INTERSECT or EXCEPT over inputs of two types, None if they have no common type.

    The operation itself decides whether the column is nullable.
    """
    return least_common_type((left, right))


def union_type(left: LogicalType, right: LogicalType) -> LogicalType | None:
    """Return the type of a column of UNION over inputs of two types, None if they have no common type.

    Rows that differ in field names only are matched by position and get the names of the first input.
    """
    common = least_common_type((left, right))
    if common is None and differ_at_most_in_field_names(left, right):
        return _merge(plain_type(left), plain_type(right))
    return common


@lru_cache(maxsize=4096)
def comparison_type(
    left: LogicalType, right: LogicalType, *, left_literal: int | None = None, right_literal: int | None = None
) -> LogicalType | None:
    """Return the type in which Spark compares two values with ``=``, ``<`` and similar operators, None if it cannot.

    The type is nullable if the comparison is, possibly only because of the cast of an operand. A string beside a number
    or a time is cast to it. ``left_literal`` and ``right_literal`` are the values of operands that are integer
    literals. Sources: ``AnsiStringPromotionTypeCoercion``, ``DecimalPrecisionTypeCoercion``.
    """
    left, right = plain_type(left), plain_type(right)
    first, second = _widen_beside_decimal(left, right, left_literal), _widen_beside_decimal(right, left, right_literal)
    common = _comparison_type(first, second)
    if common is None or not is_orderable(common):
        return None
    return common.with_nullability(cast_is_nullable(first, common) or cast_is_nullable(second, common))


def _widen_beside_decimal(data_type: LogicalType, other: LogicalType, literal: int | None) -> LogicalType:
    """Return the decimal to which an integer is cast first if it is compared with a decimal."""
    if isinstance(other, DecimalType) and isinstance(data_type, IntegralType):
        goal = decimal_of_literal(data_type, literal)
        assert goal is not None
        return goal.with_nullability(cast_is_nullable(data_type, goal))
    return data_type


def _comparison_type(left: LogicalType, right: LogicalType) -> LogicalType | None:
    if differ_at_most_in_field_names(left, right):
        # Spark compares rows by position, whatever the names of their fields.
        return _merge(left, right)
    return (
        _promote_string(left, right)
        or (_wider_with_decimal(left, right) if isinstance(left, NumericType) else None)
        or _tightest(left, right)
    )


def _merge_all(types: Sequence[LogicalType]) -> LogicalType:
    merged = types[0]
    for data_type in types[1:]:
        merged = _merge(merged, data_type)
    return merged


def _merge(left: LogicalType, right: LogicalType) -> LogicalType:
    """Return the type of two types that differ in nullability only: nullable wherever one of them is."""
    nullable = left.nullable or right.nullable
    match left, right:
        case ArrayType(), ArrayType():
            return ArrayType(_merge(left.element, right.element), nullable=nullable)
        case MapType(), MapType():
            return MapType(_merge(left.key, right.key), _merge(left.value, right.value), nullable=nullable)
        case RowType(), RowType():
            pairs = zip(left.fields, right.fields, strict=True)
            return RowType(
                tuple([RowField(a.name, _merge(a.data_type, b.data_type)) for a, b in pairs]), nullable=nullable
            )
    return left.with_nullability(nullable)


def _wider(left: LogicalType, right: LogicalType, promote_strings: bool) -> LogicalType | None:
    """Implement ``findWiderTypeForTwo``, or ``findWiderTypeWithoutStringPromotionForTwo``."""

    def rule(a: LogicalType, b: LogicalType) -> LogicalType | None:
        return _wider(a, b, promote_strings)

    return (
        _tightest(left, right)
        or _wider_with_decimal(left, right)
        or (_promote_string(left, right) if promote_strings else None)
        or _common_nested(left, right, rule)
    )


def _tightest(left: LogicalType, right: LogicalType) -> LogicalType | None:
    """Implement ``findTightestCommonType``: strings are not cast, and no decimal loses digits."""
    match left, right:
        case _ if left.same_type(right):
            return left
        case NullType(), _:
            return right
        case _, NullType():
            return left
        case DecimalType(), IntegralType():
            return left if holds_all_values(left, right) else None
        case IntegralType(), DecimalType():
            return right if holds_all_values(right, left) else None
        case (DecimalType(), NumericType()) | (NumericType(), DecimalType()):
            return None
        case NumericType(), NumericType():
            wider = max(left, right, key=precedence)
            return DOUBLE if isinstance(wider, FloatType) else wider
        case TimeType(), TimeType():
            return max(left, right, key=lambda t: t.precision)
        case (TimeType(), TemporalType()) | (TemporalType(), TimeType()):
            return None
        case TemporalType(), TemporalType():
            order = (DateType, TimestampType, LocalZonedTimestampType)
            return max(left, right, key=lambda t: order.index(type(t)))
        case IntervalType(), IntervalType() if type(left) is type(right):
            return type(left)(start=min(left.start, right.start), end=max(left.end, right.end))
        case SpatialType(), SpatialType() if type(left) is type(right):
            return type(left)()
    return _common_nested(left, right, _tightest)


def _tightest_of_elements(left: LogicalType, right: LogicalType) -> LogicalType | None:
    """Implement ``findTightestCommonType`` outside of ANSI mode, which array functions use."""
    if isinstance(left, FloatType | IntegralType) and isinstance(right, FloatType | IntegralType):
        return max(left, right, key=precedence)
    if isinstance(left, NESTED) and not left.same_type(right) and not isinstance(right, NullType):
        return _common_nested(left, right, _tightest_of_elements)
    if isinstance(left, SpatialType) and isinstance(right, SpatialType):
        return left if left.same_type(right) else None
    return _tightest(left, right)


def _wider_with_decimal(left: LogicalType, right: LogicalType) -> LogicalType | None:
    """Implement ``findWiderTypeForDecimal``: the type of two numbers of which at least one is a decimal."""
    if not (isinstance(left, NumericType) and isinstance(right, NumericType)):
        return None
    if not (isinstance(left, DecimalType) or isinstance(right, DecimalType)):
        return None
    if isinstance(left, FractionalType) or isinstance(right, FractionalType):
        return DOUBLE
    return wider_decimal(decimal_of(left), decimal_of(right))


def _promote_string(left: LogicalType, right: LogicalType) -> LogicalType | None:
    """Return the type to which a string is cast beside another scalar, None beside an interval or a string."""
    for text, other in ((left, right), (right, left)):
        if isinstance(text, StringType) and not isinstance(other, _NEVER_FROM_TEXT):
            if isinstance(other, NullType):
                return STRING
            if isinstance(other, IntegralType):
                return BIGINT
            return DOUBLE if isinstance(other, NumericType) else other
    return None


def _common_nested(left: LogicalType, right: LogicalType, rule: _Rule) -> LogicalType | None:
    """Implement ``findTypeForComplex``: the common type of two arrays, maps or rows, with ``rule`` for each part."""
    if type(left) is not type(right) or not isinstance(left, NESTED) or len(left.children) != len(right.children):
        return None
    parts = list(_common_parts(left, right, rule))
    if None in parts:
        return None
    found = [part for part in parts if part is not None]
    match left, right:
        case ArrayType(), _:
            return ArrayType(found[0])
        case MapType(), MapType():
            key_fails = forces_null(left.key, found[0]) or forces_null(right.key, found[0])
            return None if key_fails else MapType(found[0], found[1])
        case RowType(), RowType() if have_same_field_names(left, right):
            return RowType(tuple([RowField(f.name, t) for f, t in zip(left.fields, found, strict=True)]))
    return None


def _common_parts(left: LogicalType, right: LogicalType, rule: _Rule) -> Iterator[LogicalType | None]:
    for a, b in zip(left.children, right.children, strict=True):
        part = rule(a, b)
        if part is None:
            yield None
        else:
            yield part.with_nullability(cast_is_nullable(a, part) or cast_is_nullable(b, part))
