"""Data types under PyFlink's names, and rows."""

from __future__ import annotations

from collections.abc import Sequence

from ir import types as t
from ir.collations import BINARY_COLLATION
from ir.errors import ValidationException
from ir.light_typing import TYPE_CHECKING
from ir.types import IntervalField, LogicalType, RowField, RowType
from tableapi.members.type_arguments import TypeLike, read_data_type
from tableapi.spark.runtime.row import Row, RowKind
from tableapi.tracebacks import boundaries
from tableapi.unknown_members import AdvisesOnMembersOfClass, names_on_request

__all__ = ["DataType", "DataTypes", "Row", "RowKind", "RowType"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = names_on_request(__name__, {})

DataType = LogicalType


class _Resolution:
    """A field of an interval, the argument of ``DataTypes.INTERVAL``."""

    def __init__(self, field: IntervalField) -> None:
        self.field = field


@boundaries
class DataTypes(metaclass=AdvisesOnMembersOfClass):
    """Creates data types, which are nullable by default.

    >>> DataTypes.ROW([DataTypes.FIELD("a", DataTypes.INT(False)), DataTypes.FIELD("b", DataTypes.DECIMAL(10, 2))])
    ROW<`a` INT NOT NULL, `b` DECIMAL(10, 2)>

    Every type argument may also be a string with Flink's type names: ``DataTypes.ARRAY("INT NOT NULL")``.

    Lengths of strings and bytes only apply to declared columns: Spark keeps values of any length. Timestamps always
    have microseconds, for any precision up to 6.
    """

    _receiver = "types"

    @staticmethod
    def NULL() -> t.NullType:
        """Return the type of the untyped NULL."""
        return t.NULL

    @staticmethod
    def CHAR(length: int, nullable: bool = True) -> t.CharType:
        """Return the type of strings of ``length`` characters."""
        return t.CharType(length, nullable=nullable)

    @staticmethod
    def VARCHAR(length: int, nullable: bool = True) -> LogicalType:
        """Return the type of strings of at most ``length`` characters; the maximum length means STRING."""
        return t.StringType(nullable=nullable) if length == 2**31 - 1 else t.VarCharType(length, nullable=nullable)

    @staticmethod
    def STRING(nullable: bool = True, collation: str = BINARY_COLLATION) -> t.StringType:
        """Return the type of strings of any length; ``collation`` determines their equality and order.

        >>> DataTypes.STRING(collation="unicode_ci")
        STRING COLLATE UNICODE_CI

        Raises:
            ValidationException: the collation does not exist.
        """
        return t.StringType(collation, nullable=nullable)

    @staticmethod
    def BOOLEAN(nullable: bool = True) -> t.BooleanType:
        """Return the type of TRUE and FALSE."""
        return t.BooleanType(nullable=nullable)

    @staticmethod
    def BINARY(length: int, nullable: bool = True) -> t.BytesType:
        """Return the type of bytes; ``length`` has no effect, because Spark's BINARY has no length."""
        return t.BytesType(nullable=nullable)

    @staticmethod
    def VARBINARY(length: int, nullable: bool = True) -> t.BytesType:
        """Return the type of bytes; ``length`` has no effect, because Spark's BINARY has no length."""
        return t.BytesType(nullable=nullable)

    @staticmethod
    def BYTES(nullable: bool = True) -> t.BytesType:
        """Return the type of bytes."""
        return t.BytesType(nullable=nullable)

    @staticmethod
    def DECIMAL(precision: int, scale: int, nullable: bool = True) -> t.DecimalType:
        """Return the type of decimals with ``precision`` digits (1 to 38), of which ``scale`` follow the point."""
        return t.DecimalType(precision, scale, nullable=nullable)

    @staticmethod
    def TINYINT(nullable: bool = True) -> t.TinyIntType:
        """Return the type of 8-bit integers."""
        return t.TinyIntType(nullable=nullable)

    @staticmethod
    def SMALLINT(nullable: bool = True) -> t.SmallIntType:
        """Return the type of 16-bit integers."""
        return t.SmallIntType(nullable=nullable)

    @staticmethod
    def INT(nullable: bool = True) -> t.IntType:
        """Return the type of 32-bit integers."""
        return t.IntType(nullable=nullable)

    @staticmethod
    def BIGINT(nullable: bool = True) -> t.BigIntType:
        """Return the type of 64-bit integers."""
        return t.BigIntType(nullable=nullable)

    @staticmethod
    def FLOAT(nullable: bool = True) -> t.FloatType:
        """Return the type of 32-bit floating-point numbers."""
        return t.FloatType(nullable=nullable)

    @staticmethod
    def DOUBLE(nullable: bool = True) -> t.DoubleType:
        """Return the type of 64-bit floating-point numbers."""
        return t.DoubleType(nullable=nullable)

    @staticmethod
    def DATE(nullable: bool = True) -> t.DateType:
        """Return the type of dates."""
        return t.DateType(nullable=nullable)

    @staticmethod
    def TIME(precision: int = 0, nullable: bool = True) -> t.TimeType:
        """Return the type of times of day with ``precision`` (0 to 9) fractional digits of a second.

        With 7 or more digits, values are of the class ``FineTime``, because ``datetime.time`` has only microseconds.
        """
        return t.TimeType(precision, nullable=nullable)

    @staticmethod
    def TIMESTAMP(precision: int = 6, nullable: bool = True) -> t.TimestampType:
        """Return the type of timestamps without a time zone; ``precision`` is at most 6."""
        _check_precision("TIMESTAMP", precision)
        return t.TimestampType(nullable=nullable)

    @staticmethod
    def TIMESTAMP_LTZ(precision: int = 6, nullable: bool = True) -> t.LocalZonedTimestampType:
        """Return the type of instants; ``precision`` is at most 6."""
        _check_precision("TIMESTAMP_LTZ", precision)
        return t.LocalZonedTimestampType(nullable=nullable)

    @staticmethod
    def TIMESTAMP_WITH_LOCAL_TIME_ZONE(precision: int = 6, nullable: bool = True) -> t.LocalZonedTimestampType:
        """Return the type of instants; ``precision`` is at most 6."""
        return DataTypes.TIMESTAMP_LTZ(precision, nullable)

    @staticmethod
    def ARRAY(element_type: TypeLike, nullable: bool = True) -> t.ArrayType:
        """Return the type of arrays of ``element_type``."""
        return t.ArrayType(read_data_type(element_type, "The type of elements"), nullable=nullable)

    @staticmethod
    def MAP(key_type: TypeLike, value_type: TypeLike, nullable: bool = True) -> t.MapType:
        """Return the type of maps from ``key_type`` to ``value_type``; a key is never NULL."""
        return _map(key_type, value_type, nullable)

    @staticmethod
    def LIST_VIEW(element_type: TypeLike, nullable: bool = True) -> t.ArrayType:
        """Return the type of a ``ListView`` in an accumulator: ARRAY of ``element_type``."""
        return t.ArrayType(read_data_type(element_type, "The type of elements"), nullable=nullable)

    @staticmethod
    def MAP_VIEW(key_type: TypeLike, value_type: TypeLike, nullable: bool = True) -> t.MapType:
        """Return the type of a ``MapView`` in an accumulator: MAP from ``key_type`` to ``value_type``."""
        return _map(key_type, value_type, nullable)

    @staticmethod
    def MULTISET(element_type: TypeLike, nullable: bool = True) -> t.MapType:
        """Return the type of multisets: maps from an element to its number of occurrences."""
        return _map(element_type, t.INT.not_null(), nullable)

    @staticmethod
    def ROW(row_fields: Sequence[RowField] = (), nullable: bool = True) -> t.RowType:
        """Return the type of rows with the given fields."""
        return t.RowType(tuple(row_fields), nullable=nullable)

    @staticmethod
    def FIELD(name: str, data_type: TypeLike, description: str | None = None) -> RowField:
        """Return a field of a row."""
        return RowField(name, read_data_type(data_type, f"The type of the field {name!r}"), description)

    @staticmethod
    def VARIANT(nullable: bool = True) -> t.VariantType:
        """Return the type of values that carry their own type."""
        return t.VariantType(nullable=nullable)

    @staticmethod
    def GEOMETRY(srid: int | None = None, nullable: bool = True) -> t.GeometryType:
        """Return the type of shapes on a plane in the reference system ``srid``; by default, each value has its own.

        Raises:
            ValidationException: the reference system does not exist.
        """
        return t.GeometryType(srid, nullable=nullable)

    @staticmethod
    def GEOGRAPHY(srid: int | None = None, nullable: bool = True) -> t.GeographyType:
        """Return the type of shapes on the earth in reference system ``srid``; by default, each value has its own.

        Raises:
            ValidationException: the reference system does not exist, or has no longitudes and latitudes.
        """
        return t.GeographyType(srid, nullable=nullable)

    @staticmethod
    def DESCRIPTOR(nullable: bool = True) -> t.DescriptorType:
        """Return the type of a list of column names, an argument of process table functions."""
        return t.DescriptorType(nullable=nullable)

    @staticmethod
    def SECOND(precision: int = 6) -> _Resolution:
        """Return the field SECOND of an interval."""
        return _Resolution(IntervalField.SECOND)

    @staticmethod
    def MINUTE() -> _Resolution:
        """Return the field MINUTE of an interval."""
        return _Resolution(IntervalField.MINUTE)

    @staticmethod
    def HOUR() -> _Resolution:
        """Return the field HOUR of an interval."""
        return _Resolution(IntervalField.HOUR)

    @staticmethod
    def DAY(precision: int = 2) -> _Resolution:
        """Return the field DAY of an interval."""
        return _Resolution(IntervalField.DAY)

    @staticmethod
    def MONTH() -> _Resolution:
        """Return the field MONTH of an interval."""
        return _Resolution(IntervalField.MONTH)

    @staticmethod
    def YEAR(precision: int = 2) -> _Resolution:
        """Return the field YEAR of an interval."""
        return _Resolution(IntervalField.YEAR)

    @staticmethod
    def INTERVAL(
        upper_resolution: _Resolution | None = None, lower_resolution: _Resolution | None = None
    ) -> t.IntervalType | t.CalendarIntervalType:
        """Return the type of intervals from the upper field to the lower field.

        Without fields, it is Spark's INTERVAL of months, days and microseconds, which has no order.

        >>> DataTypes.INTERVAL(DataTypes.DAY(), DataTypes.SECOND(3))
        INTERVAL DAY TO SECOND
        >>> DataTypes.INTERVAL()
        INTERVAL

        Raises:
            ValidationException: the fields belong to different kinds of intervals.
        """
        if upper_resolution is None:
            return t.CalendarIntervalType()
        start = upper_resolution.field
        end = start if lower_resolution is None else lower_resolution.field
        if start <= IntervalField.MONTH:
            return t.YearMonthIntervalType(start, end)
        return t.DayTimeIntervalType(start, end)


def _map(key_type: TypeLike, value_type: TypeLike, nullable: bool) -> t.MapType:
    key = read_data_type(key_type, "The type of keys")
    return t.MapType(key, read_data_type(value_type, "The type of values"), nullable=nullable)


def _check_precision(name: str, precision: int) -> None:
    if not 0 <= precision <= 6:
        raise ValidationException(f"{name}({precision}) is not a type of Spark, which keeps microseconds: 0 to 6.")


# Functions that accept sequences as values also accept rows.
Sequence.register(Row)
