"""Writes logical types as Flink's SQL.

Source: https://nightlies.apache.org/flink/flink-docs-stable/docs/dev/table/types/
"""

from __future__ import annotations

from ir.errors import TableException
from ir.types import (
    ArrayType,
    CalendarIntervalType,
    DayTimeIntervalType,
    IntervalField,
    IntervalType,
    LocalZonedTimestampType,
    LogicalType,
    MapType,
    NullType,
    RowType,
    SpatialType,
    StringType,
    TimestampType,
    VarCharType,
)
from serializer.notation import NameWriter, Notation
from serializer.types import description_text, type_text, unqualified_text

_STRING_LENGTH = 2**31 - 1
FLINK_TYPE_NAMES: dict[type[LogicalType], str] = {
    TimestampType: "TIMESTAMP(6)",
    LocalZonedTimestampType: "TIMESTAMP_LTZ(6)",
}


def flink_type_text(data_type: LogicalType, notation: Notation, write_name: NameWriter) -> str:
    """Write a type as Flink does.

    Raises:
        TableException: Flink lacks the type.
    """
    match data_type:
        case ArrayType():
            return f"ARRAY<{_part_text(data_type.element, notation)}>"
        case MapType():
            # Map keys are never NULL, so that their NOT NULL is left out.
            return f"MAP<{_part_text(data_type.key.as_nullable(), notation)}, {_part_text(data_type.value, notation)}>"
        case RowType():
            fields = [
                f"{write_name(f.name, notation)} {_part_text(f.data_type, notation)}"
                + description_text(f, " ", notation)
                for f in data_type.fields
            ]
            return f"ROW<{', '.join(fields)}>"
        case DayTimeIntervalType() if data_type.end is IntervalField.SECOND:
            return unqualified_text(data_type) + "(6)"
        case VarCharType(length=length) if length == _STRING_LENGTH:
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
    return notation.type_names.get(type(data_type)) or unqualified_text(data_type)


def _part_text(data_type: LogicalType, notation: Notation) -> str:
    """Write the type of an element or field; Flink's parser accepts fewer types there."""
    if isinstance(data_type, IntervalType):
        raise TableException("An INTERVAL inside of another type cannot be written in SQL of Flink.")
    return type_text(data_type, notation) + ("" if data_type.nullable else " NOT NULL")
