"""Writes logical types as SQL, as in a CAST or a column's declaration.

Sources: https://spark.apache.org/docs/latest/sql-ref-datatypes.html and
https://nightlies.apache.org/flink/flink-docs-stable/docs/dev/table/types/
"""

from __future__ import annotations

from collections.abc import Callable

from ir.errors import TableException
from ir.literals import literal
from ir.rendering import Dialect
from ir.types import (
    ArrayType,
    BytesType,
    CalendarIntervalType,
    DayTimeIntervalType,
    DescriptorType,
    IntervalField,
    IntervalType,
    LocalZonedTimestampType,
    LogicalType,
    MapType,
    NullType,
    RowField,
    RowType,
    SpatialType,
    StringType,
    TimestampType,
    VarCharType,
)
from serializer.names import name_text, plain_name_text

_FLINK_STRING_LENGTH = 2**31 - 1
_SPARK_NAMES: dict[type[LogicalType], str] = {
    BytesType: "BINARY",
    NullType: "VOID",
    TimestampType: "TIMESTAMP_NTZ",
}
_FLINK_NAMES: dict[type[LogicalType], str] = {
    TimestampType: "TIMESTAMP(6)",
    LocalZonedTimestampType: "TIMESTAMP_LTZ(6)",
}


def argument_type_text(data_type: LogicalType, dialect: Dialect) -> str:
    """Write a type, including DESCRIPTOR, which only function arguments have.

    Raises:
        TableException: the dialect lacks the type.
    """
    if isinstance(data_type, DescriptorType):
        return data_type.root
    # The text of a type may be a string value, such as a JSON schema, and the literal writer escapes strings itself.
    return _spark_text(data_type, plain_name_text) if dialect is Dialect.SPARK else type_text(data_type, dialect)


def type_text(data_type: LogicalType, dialect: Dialect) -> str:
    """Write a type. The nullability of the type itself is left out; that of its parts is written.

    Spark has no syntax for NOT NULL inside ARRAY and MAP, so that it is left out there.

    Raises:
        TableException: the dialect lacks the type.
    """
    if isinstance(data_type, DescriptorType):
        raise TableException("The type DESCRIPTOR cannot be written in SQL: only an argument of a function has it.")
    return _spark_text(data_type, name_text) if dialect is Dialect.SPARK else _flink_text(data_type)


def _spark_text(data_type: LogicalType, write: Callable[[str, Dialect], str]) -> str:
    match data_type:
        case DescriptorType():
            return type_text(data_type, Dialect.SPARK)
        case ArrayType():
            return f"ARRAY<{_spark_text(data_type.element, write)}>"
        case MapType():
            key, value = (_spark_text(child, write) for child in data_type.children)
            return f"MAP<{key}, {value}>"
        case RowType():
            fields = [
                f"{write(f.name, Dialect.SPARK)}: {_spark_text(f.data_type, write)}"
                + ("" if f.data_type.nullable else " NOT NULL")
                + _comment(f, " COMMENT ", Dialect.SPARK)
                for f in data_type.fields
            ]
            return f"STRUCT<{', '.join(fields)}>"
    return _SPARK_NAMES.get(type(data_type)) or _unqualified(data_type)


def _flink_text(data_type: LogicalType) -> str:
    match data_type:
        case ArrayType():
            return f"ARRAY<{_flink_part(data_type.element)}>"
        case MapType():
            # Map keys are never NULL, so that their NOT NULL is left out.
            return f"MAP<{_flink_part(data_type.key.as_nullable())}, {_flink_part(data_type.value)}>"
        case RowType():
            fields = [
                f"{name_text(f.name, Dialect.FLINK)} {_flink_part(f.data_type)}{_comment(f, ' ', Dialect.FLINK)}"
                for f in data_type.fields
            ]
            return f"ROW<{', '.join(fields)}>"
        case DayTimeIntervalType() if data_type.end is IntervalField.SECOND:
            return _unqualified(data_type) + "(6)"
        case VarCharType(length=length) if length == _FLINK_STRING_LENGTH:
            return "STRING"
        case StringType() if data_type.has_collation:
            raise TableException(
                f"The type {data_type.as_nullable().as_summary_string()} cannot be written in SQL of Flink, which has "
                "no collations."
            )
        case CalendarIntervalType():
            raise TableException("Flink has no type for an interval of months, days and microseconds at once.")
        case NullType():
            raise TableException("The type NULL cannot be written in SQL of Flink; cast the NULL to another type.")
        case SpatialType():
            raise TableException(f"Flink has no type {data_type.root}; ST_ASBINARY makes bytes of a shape.")
    return _FLINK_NAMES.get(type(data_type)) or _unqualified(data_type)


def _flink_part(data_type: LogicalType) -> str:
    """Write the type of an element or field; Flink's parser accepts fewer types there."""
    if isinstance(data_type, IntervalType):
        raise TableException("An INTERVAL inside of another type cannot be written in SQL of Flink.")
    return _with_nullability(data_type, Dialect.FLINK)


def _comment(field: RowField, keyword: str, dialect: Dialect) -> str:
    """Return the description of a field after the keyword, "" if there is none."""
    # The literal writer needs this module, because literals may contain types.
    from serializer.literals import literal_text

    return "" if field.description is None else keyword + literal_text(literal(field.description), dialect)


def _with_nullability(data_type: LogicalType, dialect: Dialect) -> str:
    return type_text(data_type, dialect) + ("" if data_type.nullable else " NOT NULL")


def _unqualified(data_type: LogicalType) -> str:
    return data_type.as_nullable().as_summary_string()
