"""Convert between logical types and the types of PySpark."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyspark.sql.types as spark
from pyspark.errors import IllegalArgumentException

from grammar.type_texts import parse_type
from ir.cast_rules import map_children
from ir.errors import ValidationException
from ir.rendering import Dialect
from ir.types import (
    BIGINT,
    BOOLEAN,
    BYTES,
    DATE,
    DOUBLE,
    FLOAT,
    INT,
    NULL,
    SMALLINT,
    TIMESTAMP,
    TIMESTAMP_LTZ,
    TINYINT,
    VARIANT,
    ArrayType,
    CalendarIntervalType,
    CharType,
    DayTimeIntervalType,
    DecimalType,
    GeographyType,
    GeometryType,
    IntervalField,
    LogicalType,
    MapType,
    RowField,
    RowType,
    SpatialType,
    StringType,
    TimeType,
    VarCharType,
    YearMonthIntervalType,
)
from tableapi.spark import versions

if TYPE_CHECKING:
    from pyspark.sql.types import CalendarIntervalType as _CalendarIntervalType
    from pyspark.sql.types import GeographyType as _GeographyType
    from pyspark.sql.types import GeometryType as _GeometryType
    from pyspark.sql.types import TimeType as _TimeType
    from pyspark.sql.types import VariantType as _VariantType
else:
    # Types that not every supported version has.
    _CalendarIntervalType = versions.type_class("CalendarIntervalType")
    _GeographyType = versions.type_class("GeographyType")
    _GeometryType = versions.type_class("GeometryType")
    _TimeType = versions.type_class("TimeType")
    _VariantType = versions.type_class("VariantType")

_SIMPLE: dict[type[spark.DataType], LogicalType] = {
    spark.BooleanType: BOOLEAN,
    spark.ByteType: TINYINT,
    spark.ShortType: SMALLINT,
    spark.IntegerType: INT,
    spark.LongType: BIGINT,
    spark.FloatType: FLOAT,
    spark.DoubleType: DOUBLE,
    spark.BinaryType: BYTES,
    spark.DateType: DATE,
    spark.TimestampNTZType: TIMESTAMP,
    spark.TimestampType: TIMESTAMP_LTZ,
    _VariantType: VARIANT,
    spark.NullType: NULL,
    _CalendarIntervalType: CalendarIntervalType(),
}
_SIMPLE_BACK: dict[type[LogicalType], type[spark.DataType]] = {type(ours): theirs for theirs, ours in _SIMPLE.items()}
# The metadata key under which Spark keeps the declared type of a CHAR or VARCHAR column.
_DECLARED = "__CHAR_VARCHAR_TYPE_STRING"
_SYSTEMS_OF_PYSPARK = (0, 3857, 4326)
# Spark counts the fields of a day-time interval from DAY and those of a year-month interval from YEAR.
_DAY = int(IntervalField.DAY)


def from_spark(data_type: spark.DataType, nullable: bool = True) -> LogicalType:
    """Convert a Spark type to a logical type.

    Raises:
        ValidationException: the type is a user-defined type.
    """
    return _from_spark(data_type).with_nullability(nullable)


def declared_type(field: spark.StructField) -> LogicalType:
    """Return the declared type of a table column; Spark itself reads CHAR and VARCHAR as STRING."""
    declared = field.metadata.get(_DECLARED)
    return from_spark(field.dataType, field.nullable) if declared is None else _parse_declared(declared, field.nullable)


def _parse_declared(text: str, nullable: bool) -> LogicalType:
    return parse_type(text, Dialect.SPARK).with_nullability(nullable)


def _from_spark(data_type: spark.DataType) -> LogicalType:
    # Exact classes, because CharType and VarcharType derive from StringType.
    if type(data_type) is spark.StringType:
        return StringType(versions.collation_of(data_type))
    if type(data_type) in _SIMPLE:
        return _SIMPLE[type(data_type)]
    match data_type:
        case spark.DecimalType():
            return DecimalType(data_type.precision, data_type.scale)
        case spark.CharType():
            return CharType(data_type.length)
        case spark.VarcharType():
            return VarCharType(data_type.length)
        case _TimeType():
            return TimeType(data_type.precision)
        case spark.YearMonthIntervalType():
            return YearMonthIntervalType(IntervalField(data_type.startField), IntervalField(data_type.endField))
        case spark.DayTimeIntervalType():
            start, end = data_type.startField, data_type.endField
            return DayTimeIntervalType(IntervalField(start + _DAY), IntervalField(end + _DAY))
        case _GeometryType():
            return GeometryType(_system(data_type))
        case _GeographyType():
            return GeographyType(_system(data_type))
        case spark.ArrayType():
            return ArrayType(from_spark(data_type.elementType, data_type.containsNull))
        case spark.MapType():
            value = from_spark(data_type.valueType, data_type.valueContainsNull)
            return MapType(from_spark(data_type.keyType, False), value)
        case spark.StructType():
            return RowType(tuple([_field_from_spark(f) for f in data_type.fields]))
    raise ValidationException(
        f"The Spark type {data_type.simpleString()} is not supported. Supported are Spark's SQL types except for "
        "user-defined types; cast the column to one of them."
    )


def _system(data_type: _GeometryType | _GeographyType) -> int | None:
    return None if data_type.srid == data_type.MIXED_SRID else data_type.srid


def _field_from_spark(field: spark.StructField) -> RowField:
    return RowField(field.name, from_spark(field.dataType, field.nullable), field.metadata.get("comment"))


def to_spark(data_type: LogicalType) -> spark.DataType:
    """Convert a logical type to a Spark type; its own nullability is a property of the column, not of the Spark type.

    Raises:
        ValidationException: Spark has no such type, for instance DESCRIPTOR.
    """
    if isinstance(data_type, StringType):
        return versions.string_type(data_type.collation)
    simple = _SIMPLE_BACK.get(type(data_type))
    if simple is not None:
        return simple()
    match data_type:
        case DecimalType():
            return spark.DecimalType(data_type.precision, data_type.scale)
        case CharType():
            return spark.CharType(data_type.length)
        case VarCharType():
            return spark.VarcharType(data_type.length)
        case TimeType():
            return _TimeType(data_type.precision)
        case YearMonthIntervalType():
            return spark.YearMonthIntervalType(int(data_type.start), int(data_type.end))
        case DayTimeIntervalType():
            return spark.DayTimeIntervalType(data_type.start - _DAY, data_type.end - _DAY)
        case SpatialType():
            return _shape_to_spark(data_type)
        case ArrayType():
            return spark.ArrayType(to_spark(data_type.element), data_type.element.nullable)
        case MapType():
            return spark.MapType(to_spark(data_type.key), to_spark(data_type.value), data_type.value.nullable)
        case RowType():
            return spark.StructType([_field_to_spark(f) for f in data_type.fields])
    raise ValidationException(f"Spark has no type {data_type.as_summary_string()}.")


def _shape_to_spark(data_type: SpatialType) -> spark.DataType:
    made = _GeometryType if isinstance(data_type, GeometryType) else _GeographyType
    try:
        return made("ANY" if data_type.srid is None else data_type.srid)
    except IllegalArgumentException:
        raise ValidationException(
            f"PySpark has no type {data_type.as_nullable().as_summary_string()}, which Spark has: it knows the systems "
            f"of reference 0, 3857 and 4326 alone. Cast to {data_type.root}(ANY), whose values keep their system."
        ) from None


def replace_unknown_systems(data_type: LogicalType) -> LogicalType:
    """Replace the spatial reference systems that only Spark knows, and not PySpark, by ANY."""
    if isinstance(data_type, SpatialType):
        is_known = data_type.srid is None or data_type.srid in _SYSTEMS_OF_PYSPARK
        return data_type if is_known else data_type.evolve(srid=None)
    return map_children(data_type, replace_unknown_systems)


def _field_to_spark(field: RowField) -> spark.StructField:
    metadata = None if field.description is None else {"comment": field.description}
    return spark.StructField(field.name, to_spark(field.data_type), field.data_type.nullable, metadata)
