"""Casts: the explicit and implicit casts that Spark makes, and the common types of operands.

The rules are those of Spark 4.3 in its default ANSI mode:
https://spark.apache.org/docs/latest/sql-ref-ansi-compliance.html and the class ``AnsiTypeCoercion`` of its analyzer.
``tests/oracle`` compares every pair of types with a real analyzer. Other modules import from here; ``ir.cast_rules``
and ``ir.common_types`` hold the explicit casts and the common types.
"""

from __future__ import annotations

from collections.abc import Sequence

from ir import light_attrs as attrs
from ir.cast_rules import (
    NESTED,
    apply_collation,
    can_assign,
    can_be_key,
    can_cast,
    can_try_cast,
    cast_is_nullable,
    cast_mismatch,
    cast_result,
    differ_at_most_in_field_names,
    differ_at_most_in_nullability,
    forces_null,
    has_equality,
    has_part,
    is_comparable,
    is_groupable,
    is_orderable,
    name_unordered_type,
    nullable_throughout,
    plain_type,
    try_cast_result,
    ungroupable_type,
    written_type,
)
from ir.collations import BINARY_COLLATION
from ir.common_types import (
    comparison_type,
    least_common_type,
    set_operation_type,
    tightest_common_type,
    union_type,
)
from ir.decimals import decimal_of
from ir.types import (
    DOUBLE,
    INT,
    NULL,
    TIMESTAMP_LTZ,
    ArrayType,
    CalendarIntervalType,
    DayTimeIntervalType,
    DecimalType,
    FractionalType,
    IntegralType,
    LocalZonedTimestampType,
    LogicalType,
    MapType,
    NullType,
    NumericType,
    RowType,
    SpatialType,
    StringType,
    TimestampType,
    YearMonthIntervalType,
)

__all__ = [
    "ANY_FAMILY",
    "ARRAY_FAMILY",
    "DAY_TIME_FAMILY",
    "DECIMAL_FAMILY",
    "INTEGRAL_FAMILY",
    "MAP_FAMILY",
    "NUMERIC_FAMILY",
    "ROW_FAMILY",
    "TIMESTAMP_FAMILY",
    "YEAR_MONTH_FAMILY",
    "Expected",
    "TypeFamily",
    "apply_collation",
    "can_be_key",
    "can_cast",
    "can_store",
    "can_try_cast",
    "cast_is_nullable",
    "cast_mismatch",
    "cast_result",
    "comparison_type",
    "differ_at_most_in_field_names",
    "differ_at_most_in_nullability",
    "forces_null",
    "has_equality",
    "has_part",
    "implicit_cast",
    "is_comparable",
    "is_groupable",
    "is_orderable",
    "least_common_type",
    "name_unordered_type",
    "nullable_throughout",
    "plain_type",
    "set_operation_type",
    "tightest_common_type",
    "try_cast_result",
    "ungroupable_type",
    "union_type",
    "written_type",
]

_TIMESTAMPS = (TimestampType, LocalZonedTimestampType)


@attrs.frozen(eq=False, repr=False)
class TypeFamily(attrs.Slotted):
    """A family of types that a parameter accepts, like Spark's ``AbstractDataType``; others are cast to ``default``.

    ``from_string`` says whether strings are cast, too.
    """

    name: str
    members: tuple[type[LogicalType], ...]
    default: LogicalType
    from_string: bool = True

    def accepts(self, data_type: LogicalType) -> bool:
        """Whether a type belongs to the family."""
        return isinstance(data_type, self.members)


NUMERIC_FAMILY = TypeFamily("NUMERIC", (NumericType,), DOUBLE)
INTEGRAL_FAMILY = TypeFamily("INTEGRAL_NUMERIC", (IntegralType,), INT, from_string=False)
DECIMAL_FAMILY = TypeFamily("DECIMAL", (DecimalType,), DecimalType(38, 18))
TIMESTAMP_FAMILY = TypeFamily("TIMESTAMP", _TIMESTAMPS, TIMESTAMP_LTZ)
ARRAY_FAMILY = TypeFamily("ARRAY", (ArrayType,), ArrayType(NULL), from_string=False)
MAP_FAMILY = TypeFamily("MAP", (MapType,), MapType(NULL, NULL), from_string=False)
ROW_FAMILY = TypeFamily("ROW", (RowType,), RowType(), from_string=False)
YEAR_MONTH_FAMILY = TypeFamily("INTERVAL YEAR TO MONTH", (YearMonthIntervalType,), NULL, from_string=False)
DAY_TIME_FAMILY = TypeFamily("INTERVAL DAY TO SECOND", (DayTimeIntervalType,), NULL, from_string=False)
ANY_FAMILY = TypeFamily("ANY", (LogicalType,), NULL)

Expected = LogicalType | TypeFamily


def implicit_cast(source: LogicalType, target: Expected | Sequence[Expected]) -> LogicalType | None:
    """Return the type to which Spark casts an argument of a function that expects ``target``, None if it does not.

    ``target`` is a type, a family, or several of them in Spark's order of preference (its ``TypeCollection``). The
    result has the argument's own nullability or that of the cast. Source: ``AnsiTypeCoercion.implicitCast``.
    """
    plain = plain_type(source)
    if not isinstance(target, (LogicalType, TypeFamily)):
        if any(_accepts(expected, plain) for expected in target):
            return plain
        return next((found for expected in target if (found := implicit_cast(source, expected)) is not None), None)
    if _accepts(target, plain):
        return plain
    goal = _implicit_target(plain, target)
    return None if goal is None else goal.with_nullability(cast_is_nullable(plain, goal))


def _accepts(expected: Expected, data_type: LogicalType) -> bool:
    if isinstance(expected, TypeFamily):
        return expected.accepts(data_type)
    if isinstance(expected, SpatialType) and expected.srid is None:
        return type(data_type) is type(expected)
    # Parameters accept strings of any collation, unless the definition says otherwise.
    return differ_at_most_in_nullability(plain_type(expected), apply_collation(data_type, BINARY_COLLATION))


def _implicit_target(source: LogicalType, expected: Expected) -> LogicalType | None:
    if expected is DECIMAL_FAMILY and isinstance(source, NumericType):
        return decimal_of(source)
    if expected is INTEGRAL_FAMILY and isinstance(source, (FractionalType, DecimalType)):
        return None
    if isinstance(expected, TypeFamily):
        if isinstance(source, StringType):
            return expected.default if expected.from_string else None
        goal = expected.default
    else:
        goal = plain_type(expected)
        if isinstance(source, StringType):
            return None if isinstance(goal, (*NESTED, NullType, CalendarIntervalType)) else goal
    return goal if can_assign(source, goal) else None


def can_store(source: LogicalType, target: LogicalType) -> bool:
    """Whether INSERT stores a value of one type in a column of another under the ANSI store assignment policy."""
    source, target = plain_type(source), plain_type(target)
    return can_assign(source, target) and can_cast(source, target)
