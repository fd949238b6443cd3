"""Avro schemas of columns: those that Flink writes, as far as Spark reads them as the same types.

Source: https://avro.apache.org/docs/1.12.0/specification/
"""

from __future__ import annotations

import json
from typing import Any, Final

from ir.errors import TableException
from ir.types import (
    ArrayType,
    BigIntType,
    BooleanType,
    BytesType,
    CharacterType,
    DateType,
    DecimalType,
    DoubleType,
    FloatType,
    IntType,
    LocalZonedTimestampType,
    LogicalType,
    MapType,
    RowType,
    TimestampType,
)

_PLAIN: Final[tuple[tuple[type[LogicalType], Any], ...]] = (
    (BooleanType, "boolean"),
    (IntType, "int"),
    (BigIntType, "long"),
    (FloatType, "float"),
    (DoubleType, "double"),
    (CharacterType, "string"),
    (BytesType, "bytes"),
    (DateType, {"type": "int", "logicalType": "date"}),
    (LocalZonedTimestampType, {"type": "long", "logicalType": "timestamp-micros"}),
    (TimestampType, {"type": "long", "logicalType": "local-timestamp-micros"}),
)


def schema_of(row: RowType) -> str:
    """Return the Avro schema of rows as JSON.

    A nullable field is a union of null and its type, in this order, as Flink writes it.

    >>> from ir.types import INT, RowField
    >>> schema_of(RowType((RowField("id", INT.not_null()), RowField("n", INT))))
    '{"type":"record","name":"record","fields":[{"name":"id","type":"int"},{"name":"n","type":["null","int"]}]}'

    Raises:
        TableException: Avro has no such type.
    """
    return _as_json(_record(row, "record"))


def enclosing_schema(row: RowType, start: str, value: str, end: str) -> str:
    """Return the schema of a number, a row and a number, one behind the other."""
    fields = [
        {"name": start, "type": "int"},
        {"name": value, "type": _record(row, "record")},
        {"name": end, "type": "int"},
    ]
    return _as_json({"type": "record", "name": "enclosed", "fields": fields})


def _as_json(schema: Any) -> str:
    return json.dumps(schema, separators=(",", ":"), ensure_ascii=False)


def _record(row: RowType, name: str) -> dict[str, Any]:
    # Names of records are part of no value; each record needs its own.
    fields = [{"name": f.name, "type": _type(f.data_type, f"{name}_{number}")} for number, f in enumerate(row.fields)]
    return {"type": "record", "name": name, "fields": fields}


def _type(data_type: LogicalType, name: str) -> Any:
    """Return the schema of a type; types are not nested deeply, since they come from a declaration."""
    made = _not_null(data_type, name)
    return ["null", made] if data_type.nullable else made


def _not_null(data_type: LogicalType, name: str) -> Any:
    match data_type:
        case RowType():
            return _record(data_type, name)
        case ArrayType():
            return {"type": "array", "items": _type(data_type.element, name)}
        case MapType() if isinstance(data_type.key, CharacterType):
            return {"type": "map", "values": _type(data_type.value, name)}
        case DecimalType():
            of_decimal = {"precision": data_type.precision, "scale": data_type.scale}
            return {"type": "bytes", "logicalType": "decimal", **of_decimal}
    for kind, schema in _PLAIN:
        if isinstance(data_type, kind):
            return schema
    raise TableException(
        f"The format 'avro' has no type for {data_type.as_nullable().as_summary_string()}. Declare a STRING, and cast "
        "it in a query."
    )
