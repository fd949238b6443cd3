"""Writes logical types as SQL, as in a CAST or a column's declaration.

Source: https://spark.apache.org/docs/latest/sql-ref-datatypes.html
"""

from __future__ import annotations

from ir.errors import TableException
from ir.types import (
    ArrayType,
    BytesType,
    DescriptorType,
    LocalZonedTimestampType,
    LogicalType,
    MapType,
    NullType,
    RowField,
    RowType,
    StringType,
    TimestampType,
)
from serializer.names import name_text, write_plain_name
from serializer.notation import NameWriter, Notation

SPARK_TYPE_NAMES: dict[type[LogicalType], str] = {
    BytesType: "BINARY",
    NullType: "VOID",
    TimestampType: "TIMESTAMP_NTZ",
}


def argument_type_text(data_type: LogicalType, notation: Notation) -> str:
    """Write a type, including DESCRIPTOR, which only function arguments have.

    Raises:
        TableException: the dialect lacks the type.
    """
    if isinstance(data_type, DescriptorType):
        return data_type.root
    # The text of a type may be a string value, such as a JSON schema, and the literal writer escapes strings itself.
    return notation.write_type(data_type, notation, write_plain_name)


def type_text(data_type: LogicalType, notation: Notation) -> str:
    """Write a type. The nullability of the type itself is left out; that of its parts is written.

    Raises:
        TableException: the dialect lacks the type.
    """
    if isinstance(data_type, DescriptorType):
        raise TableException("The type DESCRIPTOR cannot be written in SQL: only an argument of a function has it.")
    return notation.write_type(data_type, notation, name_text)


def spark_type_text(data_type: LogicalType, notation: Notation, write_name: NameWriter) -> str:
    """Write a type as Spark does. It has no NOT NULL inside ARRAY and MAP, so that it is left out there."""
    match data_type:
        case DescriptorType():
            return type_text(data_type, notation)
        case ArrayType():
            return f"ARRAY<{spark_type_text(data_type.element, notation, write_name)}>"
        case MapType():
            key, value = (spark_type_text(child, notation, write_name) for child in data_type.children)
            return f"MAP<{key}, {value}>"
        case RowType():
            fields = [
                f"{write_name(f.name, notation)}: {spark_type_text(f.data_type, notation, write_name)}"
                + ("" if f.data_type.nullable else " NOT NULL")
                + description_text(f, " COMMENT ", notation)
                for f in data_type.fields
            ]
            return f"STRUCT<{', '.join(fields)}>"
    return notation.type_names.get(type(data_type)) or unqualified_text(data_type)


def described_type_text(data_type: LogicalType) -> str:
    """Write a type as Spark's DESCRIBE does, like ``simpleString`` of PySpark: in lower case, without nullability."""
    match data_type:
        case ArrayType():
            return f"array<{described_type_text(data_type.element)}>"
        case MapType():
            return f"map<{described_type_text(data_type.key)},{described_type_text(data_type.value)}>"
        case RowType():
            fields = [f"{field.name}:{described_type_text(field.data_type)}" for field in data_type.fields]
            return f"struct<{','.join(fields)}>"
        case StringType() if data_type.has_collation:
            return f"string collate {data_type.collation}"
        case LocalZonedTimestampType():
            return "timestamp"
    name = SPARK_TYPE_NAMES.get(type(data_type)) or unqualified_text(data_type)
    return name.lower().replace(", ", ",")


def unqualified_text(data_type: LogicalType) -> str:
    """Return the summary of a type without its nullability."""
    return data_type.as_nullable().as_summary_string()


def description_text(field: RowField, keyword: str, notation: Notation) -> str:
    """Return the description of a field after the keyword, "" if there is none."""
    return "" if field.description is None else keyword + notation.string_text(field.description)
