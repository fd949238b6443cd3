"""The rules of ``CAST`` and ``TRY_CAST``: which casts are allowed, and which results are nullable.

The rules are those of Spark 4.3 in its default ANSI mode:
https://spark.apache.org/docs/latest/sql-ref-ansi-compliance.html#cast and the classes ``Cast`` and ``UpCastRule`` of
its analyzer.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from ir.decimals import decimal_of, holds_all_values
from ir.identifiers import fold
from ir.types import (
    ArrayType,
    BigIntType,
    BooleanType,
    BytesType,
    CalendarIntervalType,
    CharType,
    DateType,
    DayTimeIntervalType,
    DecimalType,
    DescriptorType,
    DoubleType,
    FloatType,
    FractionalType,
    IntegralType,
    IntervalType,
    IntType,
    LocalZonedTimestampType,
    LogicalType,
    MapType,
    NullType,
    NumericType,
    RowField,
    RowType,
    SmallIntType,
    SpatialType,
    StringType,
    TemporalType,
    TimestampType,
    TimeType,
    TinyIntType,
    VarCharType,
    VariantType,
)

_TIMESTAMPS = (TimestampType, LocalZonedTimestampType)
_EXACT = (IntegralType, DecimalType)
NESTED = (ArrayType, MapType, RowType)
# Values of these types cannot be compared, ordered or used as group keys.
_INCOMPARABLE = (VariantType, SpatialType, DescriptorType)
_CHANGED_WHEN_PLAIN = (CharType, VarCharType, *NESTED)
_NUMERIC_PRECEDENCE = (TinyIntType, SmallIntType, IntType, BigIntType, FloatType, DoubleType)

# --- properties of types ---------------------------------------------------------------------------------------------


def plain_type(data_type: LogicalType) -> LogicalType:
    """Return the type as in Spark's plans, where CHAR and VARCHAR are STRING; only tables have them."""
    # One isinstance is enough for most types, which have no parts and are not strings.
    if not isinstance(data_type, _CHANGED_WHEN_PLAIN):
        return data_type
    if isinstance(data_type, (CharType, VarCharType)):
        return StringType(nullable=data_type.nullable)
    return map_children(data_type, plain_type)


def written_type(data_type: LogicalType) -> LogicalType:
    """Return the type to which its SQL text is parsed: NOT NULL exists inside STRUCT, but not inside ARRAY and MAP."""
    if not isinstance(data_type, _CHANGED_WHEN_PLAIN):
        return data_type
    if isinstance(data_type, (CharType, VarCharType)):
        return StringType(nullable=data_type.nullable)
    if isinstance(data_type, ArrayType):
        return ArrayType(written_type(data_type.element).as_nullable(), nullable=data_type.nullable)
    if isinstance(data_type, MapType):
        value = written_type(data_type.value).as_nullable()
        return MapType(written_type(data_type.key), value, nullable=data_type.nullable)
    return map_children(data_type, written_type)


def cast_target(data_type: LogicalType) -> LogicalType:
    """Return the result type of a cast to a type: NOT NULL exists inside STRUCT, but not inside ARRAY and MAP."""
    if isinstance(data_type, ArrayType):
        return ArrayType(cast_target(data_type.element).as_nullable(), nullable=data_type.nullable)
    if isinstance(data_type, MapType):
        value = cast_target(data_type.value).as_nullable()
        return MapType(cast_target(data_type.key), value, nullable=data_type.nullable)
    return map_children(data_type, cast_target)


def apply_collation(data_type: LogicalType, collation: str) -> LogicalType:
    """Return the type with one collation for all its string types, at any depth."""
    if isinstance(data_type, StringType):
        return StringType(collation, nullable=data_type.nullable)
    return map_children(data_type, lambda child: apply_collation(child, collation))


def nullable_throughout(data_type: LogicalType) -> LogicalType:
    """Return the type with all its parts nullable, at any depth, like ``DataType.asNullable``."""
    return map_children(data_type, nullable_throughout).as_nullable()


def map_children(data_type: LogicalType, function: Callable[[LogicalType], LogicalType]) -> LogicalType:
    """Return the type with a function applied to the types of its elements, keys and values, or fields."""
    if isinstance(data_type, ArrayType):
        return ArrayType(function(data_type.element), nullable=data_type.nullable)
    if isinstance(data_type, MapType):
        return MapType(function(data_type.key), function(data_type.value), nullable=data_type.nullable)
    if isinstance(data_type, RowType):
        fields = [RowField(f.name, function(f.data_type), f.description) for f in data_type.fields]
        return RowType(tuple(fields), nullable=data_type.nullable)
    return data_type


def differ_at_most_in_nullability(left: LogicalType, right: LogicalType) -> bool:
    """Whether two types differ only in nullability and in the case of field names, at any depth."""
    if isinstance(left, NESTED) and type(left) is type(right):
        if isinstance(left, RowType) and isinstance(right, RowType) and not have_same_field_names(left, right):
            return False
        return all(map(differ_at_most_in_nullability, left.children, right.children))
    return left.same_type(right)


def differ_at_most_in_field_names(left: LogicalType, right: LogicalType) -> bool:
    """Whether two types differ only in nullability and in field names, at any depth."""
    pairs = [(plain_type(left), plain_type(right))]
    while pairs:
        a, b = pairs.pop()
        if a.children or b.children:
            if type(a) is not type(b) or len(a.children) != len(b.children):
                return False
            pairs += zip(a.children, b.children, strict=True)
        elif not a.same_type(b):
            return False
    return True


def have_same_field_names(left: RowType, right: RowType) -> bool:
    """Whether the fields of two rows have the same names, ignoring case."""
    return [fold(f.name) for f in left.fields] == [fold(f.name) for f in right.fields]


def is_orderable(data_type: LogicalType) -> bool:
    """Whether the type has an order, as comparisons, ORDER BY, DISTINCT and set operations except UNION ALL require."""
    if isinstance(data_type, (MapType, CalendarIntervalType, *_INCOMPARABLE)):
        return False
    return all(map(is_orderable, data_type.children))


def is_groupable(data_type: LogicalType) -> bool:
    """Whether the type is allowed in GROUP BY and in aggregates with DISTINCT; maps are.

    Spark's analyzer also accepts VARIANT with DISTINCT, and spatial types in both, but such a query fails at run time.
    """
    return not isinstance(data_type, _INCOMPARABLE) and all(map(is_groupable, data_type.children))


def has_equality(data_type: LogicalType) -> bool:
    """Whether the type is allowed in DISTINCT, UNION and similar operations, which hash values."""
    return not isinstance(data_type, (MapType, *_INCOMPARABLE)) and all(map(has_equality, data_type.children))


def can_be_key(data_type: LogicalType) -> bool:
    """Whether the type is allowed for keys of a map; spatial types are, although they cannot be compared elsewhere."""
    return not isinstance(data_type, (MapType, VariantType, DescriptorType)) and all(
        map(can_be_key, data_type.children)
    )


def name_unordered_type(data_type: LogicalType) -> str:
    """Return the name of the first type without an order in a type, for messages."""
    found = _find_first_part(data_type, (MapType, CalendarIntervalType, *_INCOMPARABLE))
    assert found is not None, data_type
    return found.root


def ungroupable_type(data_type: LogicalType) -> str:
    """Return the name of the first type in a type that cannot be a group key."""
    found = _find_first_part(data_type, _INCOMPARABLE)
    assert found is not None, data_type
    return found.root


def has_part(data_type: LogicalType, *kinds: type[LogicalType]) -> bool:
    """Whether a type is of one of several kinds, or contains a part that is."""
    return _find_first_part(data_type, kinds) is not None


def _find_first_part(data_type: LogicalType, kinds: tuple[type[LogicalType], ...]) -> LogicalType | None:
    parts = [data_type]
    for part in parts:
        if isinstance(part, kinds):
            return part
        parts += part.children
    return None


def is_comparable(data_type: LogicalType) -> bool:
    """Whether values of the type can be compared with ``=``, for which Spark requires an order."""
    return is_orderable(data_type)


# --- explicit casts --------------------------------------------------------------------------------------------------


def can_cast(source: LogicalType, target: LogicalType) -> bool:
    """Whether Spark accepts ``CAST(source AS target)``."""
    return _can_cast(plain_type(source), written_type(target))


def can_try_cast(source: LogicalType, target: LogicalType) -> bool:
    """Whether Spark accepts ``TRY_CAST(source AS target)``; no element of a NOT NULL type may become NULL."""
    source, target = plain_type(source), written_type(target)
    if isinstance(source, NESTED) and type(source) is type(target):
        return _can_cast_without_nulls(source, target)
    return _can_cast(source, target)


def cast_result(source: LogicalType, target: LogicalType) -> LogicalType:
    """Return the type of ``CAST(source AS target)``; a cast that may meet NaN or an invalid string is nullable."""
    target = written_type(target)
    return target.with_nullability(cast_is_nullable(source, target))


def try_cast_result(source: LogicalType, target: LogicalType) -> LogicalType:
    """Return the type of ``TRY_CAST(source AS target)``: nullable unless the cast can never fail."""
    source, target = plain_type(source), written_type(target)
    if isinstance(source, DecimalType) and isinstance(target, IntegralType):
        return target.as_nullable()
    safe = isinstance(source, StringType) and isinstance(target, BytesType)
    return target.with_nullability(source.nullable or not (safe or can_up_cast(source, target)))


@lru_cache(maxsize=4096)
def cast_is_nullable(source: LogicalType, target: LogicalType) -> bool:
    """Whether Spark considers the result of an explicit or implicit cast nullable."""
    return source.nullable or forces_null(plain_type(source), plain_type(target))


def _can_cast(source: LogicalType, target: LogicalType) -> bool:
    """Implement ``Cast.canAnsiCast``."""
    if source.same_type(target) or isinstance(source, NullType):
        return True
    if isinstance(source, SpatialType) or isinstance(target, SpatialType):
        return _can_cast_shape(source, target)
    if isinstance(target, StringType):
        return True
    if isinstance(source, VariantType):
        return _fits_variant(target, nested=True)
    if isinstance(target, VariantType):
        return _fits_variant(source, nested=False)
    if isinstance(source, NESTED):
        return type(source) is type(target) and _can_cast_children(source, target, _can_cast)
    return isinstance(target, _ansi_targets(source))


def _can_cast_shape(source: LogicalType, target: LogicalType) -> bool:
    """Whether a spatial type can be cast to another: to any SRID, or to the other kind with the same SRID."""
    if not isinstance(source, SpatialType) or not isinstance(target, SpatialType):
        return False
    return source.srid == target.srid or (type(source) is type(target) and target.srid is None)


def _ansi_targets(source: LogicalType) -> tuple[type[LogicalType], ...]:
    """Return the classes of types, except STRING and VARIANT, to which a scalar can be cast."""
    match source:
        case StringType():
            return (BytesType, BooleanType, NumericType, TemporalType, IntervalType, CalendarIntervalType)
        case BooleanType():
            return (NumericType,)
        case IntegralType() | DecimalType():
            return (BooleanType, NumericType, LocalZonedTimestampType, IntervalType)
        case NumericType():
            return (BooleanType, NumericType, LocalZonedTimestampType)
        case DateType():
            return _TIMESTAMPS
        case TimeType():
            return (IntegralType, DecimalType, TimeType, *_TIMESTAMPS)
        case TimestampType():
            return (TemporalType,)
        case LocalZonedTimestampType():
            return (NumericType, TemporalType)
        case IntervalType():
            return (IntegralType, DecimalType, type(source))
    return ()


def _can_cast_children(
    source: LogicalType, target: LogicalType, rule: Callable[[LogicalType, LogicalType], bool]
) -> bool:
    """Whether all elements or fields can be cast, and no nullable one is cast to NOT NULL."""
    if len(source.children) != len(target.children):
        return False
    pairs = list(zip(source.children, target.children, strict=True))
    return all(rule(s, t) and (t.nullable or not s.nullable) for s, t in pairs)


def cast_mismatch(source: LogicalType, target: LogicalType) -> str:
    """Return Spark's error condition for an unsupported cast: it suggests a function, a setting, or nothing."""
    source, target = plain_type(source), written_type(target)
    from_days = isinstance(source, NumericType) and isinstance(target, DateType)
    if from_days or (isinstance(source, DateType) and isinstance(target, NumericType)):
        return "CAST_WITH_FUNC_SUGGESTION"
    return "CAST_WITH_CONF_SUGGESTION" if isinstance(target, _legacy_targets(source)) else "CAST_WITHOUT_SUGGESTION"


def _fits_variant(data_type: LogicalType, nested: bool) -> bool:
    """Implement ``VariantGet.checkDataType``; only casts *from* VARIANT allow rows, and maps with string keys."""
    match data_type:
        case ArrayType():
            return _fits_variant(data_type.element, nested)
        case MapType():
            return nested and isinstance(data_type.key, StringType) and _fits_variant(data_type.value, nested)
        case RowType():
            return nested and all(_fits_variant(child, nested) for child in data_type.children)
    return not isinstance(data_type, (IntervalType, CalendarIntervalType, SpatialType, NullType, DescriptorType))


def _can_cast_without_nulls(source: LogicalType, target: LogicalType) -> bool:
    """Implement ``Cast.canCast`` for TRY_CAST inside nested types: it allows more scalars, but no new NULLs."""
    if source.same_type(target) or isinstance(source, NullType):
        return True
    if isinstance(target, StringType):
        return not isinstance(source, SpatialType)
    if isinstance(source, NESTED) and type(source) is type(target):
        return _can_cast_children(source, target, _can_cast_without_nulls) and all(
            t.nullable or not forces_null(s, t) for s, t in zip(source.children, target.children, strict=True)
        )
    return isinstance(target, _legacy_targets(source)) or _can_cast(source, target)


def _legacy_targets(source: LogicalType) -> tuple[type[LogicalType], ...]:
    """Return the classes to which Spark casts only outside of ANSI mode, which applies to TRY_CAST in nested types."""
    match source:
        case BooleanType():
            return (LocalZonedTimestampType,)
        case IntegralType():
            return (BytesType,)
        case DateType():
            return (BooleanType, NumericType)
        case LocalZonedTimestampType():
            return (BooleanType,)
    return ()


def forces_null(source: LogicalType, target: LogicalType) -> bool:
    """Implement ``Cast.forceNullable``: whether the cast of a NOT NULL value is nullable."""
    if isinstance(source, NullType) or source.same_type(target):
        return False
    match source, target:
        case VariantType(), _:
            return True
        case StringType(), BytesType() | StringType():
            return False
        case StringType(), _:
            return True
        case _, StringType():
            return False
        case LocalZonedTimestampType(), TinyIntType() | SmallIntType() | IntType():
            return True
        case TimeType(), TinyIntType() | SmallIntType():
            return True
        case FractionalType(), LocalZonedTimestampType():
            return True
        case LocalZonedTimestampType(), DateType():
            return False
        case _, DateType():
            return True
        case DateType(), _:
            return not isinstance(target, LocalZonedTimestampType)
        case _, DecimalType():
            return not _can_cast_safely_to_decimal(source, target)
    return isinstance(source, (FractionalType, DecimalType)) and isinstance(target, IntegralType)


def _can_cast_safely_to_decimal(source: LogicalType, target: DecimalType) -> bool:
    """Implement ``Cast.canNullSafeCastToDecimal``."""
    if isinstance(source, BooleanType):
        return target.precision > target.scale
    if not isinstance(source, NumericType):
        return False
    if isinstance(source, DecimalType) and target.precision - target.scale > source.precision - source.scale:
        return True
    return holds_all_values(target, source)


def can_up_cast(source: LogicalType, target: LogicalType) -> bool:
    """Implement ``UpCastRule.canUpCast``: whether the cast never fails and loses no information."""
    match source, target:
        case _ if source.same_type(target):
            return True
        case NullType(), _:
            return True
        case NumericType(), NumericType():
            return _can_up_cast_number(source, target)
        case DateType() | TimestampType() | LocalZonedTimestampType(), TimestampType() | LocalZonedTimestampType():
            return True
        case (LocalZonedTimestampType(), BigIntType()) | (BigIntType(), LocalZonedTimestampType()):
            return True
        case (DayTimeIntervalType(), DayTimeIntervalType()):
            return True
        case IntervalType(), IntervalType():
            return type(source) is type(target)
        case ArrayType() | MapType() | RowType(), _ if type(source) is type(target):
            return _can_cast_children(source, target, can_up_cast)
    return isinstance(target, StringType) and not isinstance(source, (*NESTED, VariantType, SpatialType))


def _can_up_cast_number(source: NumericType, target: NumericType) -> bool:
    if isinstance(target, DecimalType):
        return holds_all_values(target, source)
    if isinstance(source, DecimalType):
        return isinstance(target, IntegralType) and holds_all_values(decimal_of(target), source)
    return precedence(source) < precedence(target)


def precedence(data_type: NumericType) -> int:
    """Return the rank of a numeric type except DECIMAL; numbers are widened to types of higher rank."""
    return [isinstance(data_type, c) for c in _NUMERIC_PRECEDENCE].index(True)


# --- store assignment ------------------------------------------------------------------------------------------------


def can_assign(source: LogicalType, target: LogicalType) -> bool:
    """Implement ``Cast.canANSIStoreAssign``."""
    match source, target:
        case _ if source.same_type(target):
            return True
        case (NullType(), _) | (NumericType(), NumericType()):
            return True
        case TimeType(), TimeType():
            return source.precision <= target.precision
        case TemporalType(), TemporalType():
            return True
        case ArrayType() | MapType() | RowType(), _ if type(source) is type(target):
            return _can_cast_children(source, target, can_assign)
    return isinstance(target, StringType) and not isinstance(source, NESTED)
