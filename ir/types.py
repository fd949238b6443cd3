"""Logical types: the types of columns and expressions, with their nullability.

They are Spark's types under Flink's names. ``TIMESTAMP`` has no time zone (Spark's TIMESTAMP_NTZ), ``TIMESTAMP_LTZ`` is
an instant (Spark's TIMESTAMP); both have microseconds. Source:
https://spark.apache.org/docs/latest/sql-ref-datatypes.html
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum

from ir import light_attrs as attrs
from ir import rendering
from ir.collations import BINARY_COLLATION, collation_name, collation_text
from ir.errors import ValidationException
from ir.identifiers import equals_ignoring_case, quote
from ir.light_typing import TYPE_CHECKING, ClassVar
from ir.nodes import Node, computed_field, node
from ir.rendering import Dialect, DialectName

if TYPE_CHECKING:
    from typing_extensions import Self

MAX_DECIMAL_PRECISION = 38
MICROSECOND_PRECISION = 6
MAX_TIME_PRECISION = 9
DEEPEST_TYPE = 100
"""The greatest nesting of types: Spark's own analyzer recurses on types, and fails at a few hundred levels."""


@node
class LogicalType(Node):
    """The type of a value; ``nullable`` says whether the value may be NULL."""

    nullable: bool = attrs.field(default=True, kw_only=True)
    # The same type with the other nullability, cached on first use.
    _counterpart: Self | None = attrs.field(default=None, init=False)

    root: ClassVar[str] = ""
    has_collation: ClassVar[bool] = False
    """Whether the type contains a string type, at any depth, with another collation than plain STRING."""
    nesting: ClassVar[int] = 0
    """The number of nested arrays, maps and rows in the type."""

    def as_nullable(self) -> Self:
        """Return the same type as nullable."""
        return self if self.nullable else self._other()

    def not_null(self) -> Self:
        """Return the same type as NOT NULL."""
        return self._other() if self.nullable else self

    def _other(self) -> Self:
        other = self._counterpart
        if other is None:
            other = self.evolve(nullable=not self.nullable)
            object.__setattr__(self, "_counterpart", other)
            object.__setattr__(other, "_counterpart", self)
        return other

    def with_nullability(self, nullable: bool) -> Self:
        """Return the same type, nullable or not."""
        return self.as_nullable() if nullable else self.not_null()

    def same_type(self, other: LogicalType) -> bool:
        """Whether the two types differ at most in their own nullability."""
        return self.as_nullable() is other.as_nullable()

    @property
    def children(self) -> tuple[LogicalType, ...]:
        """The types of the elements, keys and values, or fields."""
        return ()

    @property
    def feature(self) -> str | None:
        """What the type needs of the engine, if not every target has it (``ir.targets``)."""
        return None

    def walk(self) -> Iterator[LogicalType]:
        """Yield the type and the types of its parts."""
        yield self
        for child in self.children:
            yield from child.walk()

    def _summary(self) -> str:
        return self.root

    def as_summary_string(self) -> str:
        """Return the type for display, in Flink's spelling: ``DECIMAL(10, 2) NOT NULL``."""
        return self._summary() + ("" if self.nullable else " NOT NULL")

    def as_serializable_string(self, dialect: Dialect | DialectName = Dialect.SPARK) -> str:
        """Return the type as written in a CAST of the dialect, without its own nullability."""
        return rendering.renderer().data_type(self, Dialect.of(dialect))

    def __repr__(self) -> str:
        return self.as_summary_string()


@node
class BooleanType(LogicalType):
    """TRUE and FALSE."""

    root: ClassVar[str] = "BOOLEAN"


@node
class NumericType(LogicalType):
    """A number."""


@node
class IntegralType(NumericType):
    """An integer of a fixed width; ``precision`` is the number of decimal digits that hold every value."""

    precision: ClassVar[int] = 0
    width: ClassVar[int] = 0


@node
class TinyIntType(IntegralType):
    """An integer of 8 bits."""

    root: ClassVar[str] = "TINYINT"
    precision: ClassVar[int] = 3
    width: ClassVar[int] = 8


@node
class SmallIntType(IntegralType):
    """An integer of 16 bits."""

    root: ClassVar[str] = "SMALLINT"
    precision: ClassVar[int] = 5
    width: ClassVar[int] = 16


@node
class IntType(IntegralType):
    """An integer of 32 bits."""

    root: ClassVar[str] = "INT"
    precision: ClassVar[int] = 10
    width: ClassVar[int] = 32


@node
class BigIntType(IntegralType):
    """An integer of 64 bits."""

    root: ClassVar[str] = "BIGINT"
    precision: ClassVar[int] = 20
    width: ClassVar[int] = 64


@node
class FractionalType(NumericType):
    """A binary floating-point number."""


@node
class FloatType(FractionalType):
    """A binary floating-point number of 32 bits."""

    root: ClassVar[str] = "FLOAT"


@node
class DoubleType(FractionalType):
    """A binary floating-point number of 64 bits."""

    root: ClassVar[str] = "DOUBLE"


def _check_decimal(instance: DecimalType, attribute: object, value: object) -> None:
    precision, scale = instance.precision, instance.scale
    if not (1 <= precision <= MAX_DECIMAL_PRECISION and 0 <= scale <= precision):
        raise ValidationException(
            f"DECIMAL({precision}, {scale}) is not a type: the precision goes from 1 to {MAX_DECIMAL_PRECISION} "
            "and the scale from 0 to the precision.",
            condition="DECIMAL_PRECISION_EXCEEDS_MAX_PRECISION"
            if precision > MAX_DECIMAL_PRECISION
            else "DECIMAL_SCALE_EXCEEDS_PRECISION",
        )


@node
class DecimalType(NumericType):
    """A decimal number of ``precision`` digits, ``scale`` of them after the point."""

    precision: int = 10
    scale: int = attrs.field(default=0, validator=_check_decimal)

    root: ClassVar[str] = "DECIMAL"

    def _summary(self) -> str:
        return f"DECIMAL({self.precision}, {self.scale})"


@node
class CharacterType(LogicalType):
    """A string."""


def _check_length(instance: CharacterType, attribute: object, value: int) -> None:
    if not isinstance(value, int) or value < 1:
        raise ValidationException(f"{instance.root}({value}) is not a type: the length must be at least 1.")


@node
class CharType(CharacterType):
    """A string of ``length`` characters in a table column; Spark reads it as STRING."""

    length: int = attrs.field(default=1, validator=_check_length)

    root: ClassVar[str] = "CHAR"

    def _summary(self) -> str:
        return f"CHAR({self.length})"


@node
class VarCharType(CharacterType):
    """A string of at most ``length`` characters in a table column; Spark reads it as STRING."""

    length: int = attrs.field(default=1, validator=_check_length)

    root: ClassVar[str] = "VARCHAR"

    def _summary(self) -> str:
        return f"VARCHAR({self.length})"


@node
class StringType(CharacterType):
    """A string of any length; ``collation`` defines the equality and order of strings."""

    collation: str = attrs.field(default=BINARY_COLLATION, converter=collation_name)
    has_collation: bool = computed_field(lambda self: self.collation != BINARY_COLLATION)  # type: ignore[misc]  # a ClassVar of the base

    root: ClassVar[str] = "STRING"

    def _summary(self) -> str:
        return f"STRING COLLATE {collation_text(self.collation)}" if self.has_collation else "STRING"

    @property
    def feature(self) -> str | None:
        if self.has_collation and "RTRIM" in self.collation.upper().split("_"):
            return "collation with RTRIM"
        return "type: STRING with a collation" if self.has_collation else None


@node
class BytesType(LogicalType):
    """A byte string of any length."""

    root: ClassVar[str] = "BYTES"


@node
class TemporalType(LogicalType):
    """A date, a time of day or a timestamp."""


@node
class DateType(TemporalType):
    """A date of the calendar."""

    root: ClassVar[str] = "DATE"


def _check_time_precision(instance: TimeType, attribute: object, value: int) -> None:
    if not 0 <= value <= MAX_TIME_PRECISION:
        raise ValidationException(
            f"TIME({value}) is not a type of Spark: the precision goes from 0 to {MAX_TIME_PRECISION}.",
            condition="UNSUPPORTED_TIME_PRECISION",
        )


@node
class TimeType(TemporalType):
    """A time of day with ``precision`` fractional digits of a second."""

    precision: int = attrs.field(default=6, validator=_check_time_precision)

    root: ClassVar[str] = "TIME"

    def _summary(self) -> str:
        return f"TIME({self.precision})"

    @property
    def feature(self) -> str | None:
        return "type: TIME" if self.precision <= MICROSECOND_PRECISION else "type: TIME of nanoseconds"


@node
class TimestampType(TemporalType):
    """A timestamp in microseconds without a time zone: Spark's TIMESTAMP_NTZ."""

    root: ClassVar[str] = "TIMESTAMP"


@node
class LocalZonedTimestampType(TemporalType):
    """An instant in microseconds, displayed in the session's time zone: Spark's TIMESTAMP."""

    root: ClassVar[str] = "TIMESTAMP_LTZ"


class IntervalField(IntEnum):
    """The fields of an interval, the coarsest first."""

    YEAR = 0
    MONTH = 1
    DAY = 2
    HOUR = 3
    MINUTE = 4
    SECOND = 5


@node
class IntervalType(LogicalType):
    """An interval of time from the field ``start`` to the field ``end``."""

    start: IntervalField = IntervalField.DAY
    end: IntervalField = IntervalField.SECOND

    def _summary(self) -> str:
        first, last = self.start.name, self.end.name
        return f"INTERVAL {first}" if first == last else f"INTERVAL {first} TO {last}"


def _check_fields(instance: IntervalType, attribute: object, value: IntervalField) -> None:
    lowest, highest = instance.bounds  # type: ignore[attr-defined]  # both subclasses have it
    if not lowest <= instance.start <= instance.end <= highest:
        raise ValidationException(
            f"{instance._summary()} is not a type: an interval goes from a coarser field to a finer one within "
            "YEAR, MONTH or within DAY, HOUR, MINUTE, SECOND."
        )


@node
class YearMonthIntervalType(IntervalType):
    """A number of months."""

    start: IntervalField = IntervalField.YEAR
    end: IntervalField = attrs.field(default=IntervalField.MONTH, validator=_check_fields)

    root: ClassVar[str] = "INTERVAL YEAR TO MONTH"
    bounds: ClassVar[tuple[IntervalField, IntervalField]] = (IntervalField.YEAR, IntervalField.MONTH)


@node
class DayTimeIntervalType(IntervalType):
    """A number of microseconds."""

    start: IntervalField = IntervalField.DAY
    end: IntervalField = attrs.field(default=IntervalField.SECOND, validator=_check_fields)

    root: ClassVar[str] = "INTERVAL DAY TO SECOND"
    bounds: ClassVar[tuple[IntervalField, IntervalField]] = (IntervalField.DAY, IntervalField.SECOND)


@node
class CalendarIntervalType(LogicalType):
    """An interval of months, days and microseconds, which do not convert to each other; it has no order."""

    root: ClassVar[str] = "INTERVAL"


def _nesting(data_type: LogicalType) -> int:
    found = 1 + max([child.nesting for child in data_type.children], default=0)
    if found > DEEPEST_TYPE:
        raise ValidationException(f"A type nested more than {DEEPEST_TYPE} levels deep is not supported.")
    return found


@node
class ArrayType(LogicalType):
    """A list of elements of one type."""

    element: LogicalType
    has_collation: bool = computed_field(lambda self: self.element.has_collation)  # type: ignore[misc]  # a ClassVar of the base
    nesting: int = computed_field(_nesting)  # type: ignore[misc]  # a ClassVar of the base

    root: ClassVar[str] = "ARRAY"

    @property
    def children(self) -> tuple[LogicalType, ...]:
        return (self.element,)

    def _summary(self) -> str:
        return f"ARRAY<{self.element.as_summary_string()}>"


@node
class MapType(LogicalType):
    """A map from keys of one type, which are never NULL, to values of another."""

    key: LogicalType = attrs.field(converter=lambda key: key.not_null())
    value: LogicalType
    has_collation: bool = computed_field(  # type: ignore[misc]  # a ClassVar of the base
        lambda self: self.key.has_collation or self.value.has_collation
    )
    nesting: int = computed_field(_nesting)  # type: ignore[misc]  # a ClassVar of the base

    root: ClassVar[str] = "MAP"

    @property
    def children(self) -> tuple[LogicalType, ...]:
        return (self.key, self.value)

    def _summary(self) -> str:
        return f"MAP<{self.key.as_nullable().as_summary_string()}, {self.value.as_summary_string()}>"


@node
class RowField(Node):
    """A field of a row: its name, its type and its description."""

    name: str
    data_type: LogicalType
    description: str | None = None

    def __repr__(self) -> str:
        return f"{quote(self.name)} {self.data_type.as_summary_string()}"


def _has_collated_field(row: RowType) -> bool:
    found = False
    for field in row.fields:
        found = found or field.data_type.has_collation
    return found


@node
class RowType(LogicalType):
    """A fixed sequence of named fields."""

    fields: tuple[RowField, ...] = attrs.field(default=(), converter=tuple)
    has_collation: bool = computed_field(_has_collated_field)  # type: ignore[misc]  # a ClassVar of the base
    nesting: int = computed_field(_nesting)  # type: ignore[misc]  # a ClassVar of the base

    root: ClassVar[str] = "ROW"

    @property
    def children(self) -> tuple[LogicalType, ...]:
        return tuple(f.data_type for f in self.fields)

    def field_index(self, name: str) -> list[int]:
        """Return the positions of the fields with a name, ignoring case."""
        return [i for i, f in enumerate(self.fields) if equals_ignoring_case(f.name, name)]

    def _summary(self) -> str:
        return f"ROW<{', '.join(map(repr, self.fields))}>"

    @property
    def feature(self) -> str | None:
        return None if self.fields else "struct without fields"


@node
class VariantType(LogicalType):
    """A value of any type, stored with its type."""

    root: ClassVar[str] = "VARIANT"

    @property
    def feature(self) -> str | None:
        return "type: VARIANT"


def _check_system(instance: SpatialType, attribute: object, srid: int | None) -> None:
    # The table has thousands of systems, which few programs need.
    from ir.reference_systems import is_geographic, is_known

    if srid is None:
        return
    if not isinstance(srid, int) or isinstance(srid, bool):
        raise ValidationException(
            f"{instance.root} takes the number of a system of reference, such as 4326, or None for shapes in any; "
            f"{srid!r} is none."
        )
    if (is_geographic if isinstance(instance, GeographyType) else is_known)(srid):
        return
    if is_known(srid):
        why = "its system of reference is not one of longitudes and latitudes, which GEOMETRY does without"
    else:
        why = "no system of reference has this number"
    raise ValidationException(
        f"{instance.root}({srid}) is not a type: {why}. The usual ones are 4326 (longitude and latitude) and, of "
        "GEOMETRY alone, 3857 (maps on the web) and 0 (none); ANY stands for any of them.",
        condition="ST_INVALID_SRID_VALUE",
    )


@node
class SpatialType(LogicalType):
    """A geometric shape; ``srid`` is the number of its spatial reference system, None if each value has its own."""

    srid: int | None = attrs.field(default=None, validator=_check_system)

    def _summary(self) -> str:
        return f"{self.root}({'ANY' if self.srid is None else self.srid})"

    @property
    def feature(self) -> str | None:
        return "type: GEOMETRY"


@node
class GeometryType(SpatialType):
    """A shape on a plane."""

    root: ClassVar[str] = "GEOMETRY"


@node
class GeographyType(SpatialType):
    """A shape on the earth, in longitudes and latitudes."""

    root: ClassVar[str] = "GEOGRAPHY"


@node
class NullType(LogicalType):
    """The type of the untyped NULL; Spark calls it VOID."""

    root: ClassVar[str] = "NULL"


@node
class DescriptorType(LogicalType):
    """A list of column names as an argument of a table function."""

    root: ClassVar[str] = "DESCRIPTOR"


BOOLEAN = BooleanType()
TINYINT = TinyIntType()
SMALLINT = SmallIntType()
INT = IntType()
BIGINT = BigIntType()
FLOAT = FloatType()
DOUBLE = DoubleType()
STRING = StringType()
BYTES = BytesType()
DATE = DateType()
TIMESTAMP = TimestampType()
TIMESTAMP_LTZ = LocalZonedTimestampType()
VARIANT = VariantType()
NULL = NullType()
