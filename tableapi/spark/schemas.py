"""The columns of a DataFrame, also those of types that Spark has and PySpark's reader of schemas does not.

PySpark 4.3 knows three systems of reference of the thousands that shapes of Spark may be in, and gives up on a schema
that has another one.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

from pyspark.errors import PySparkValueError
from pyspark.sql.types import ArrayType, DataType, MapType, StructField, StructType

from ir.schema import Column, ResolvedSchema
from tableapi.spark.errors import readable_errors
from tableapi.spark.types import from_spark

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_SHAPE: Final = re.compile(r"(geometry|geography)\((\w+):(\w+)(, \w+)?\)")
# What the standards body calls these is no number.
_OF_THE_OGC: Final = {"CRS27": 4267, "CRS83": 4269, "CRS84": 4326}


def fields_of(frame: DataFrame) -> list[StructField]:
    """Return the fields of a DataFrame's schema; of a shape's type, only the number of its system is to be asked.

    Raises:
        PySparkValueError: PySpark has no such type, and Spark runs elsewhere, so that it cannot be asked again.
    """
    try:
        return list(frame.schema.fields)
    except PySparkValueError:
        described = getattr(frame, "_jdf", None)
        if described is None:
            raise
    written = json.loads(described.schema().json())
    made = StructType.fromJson(_of_any_system(written))
    _restore(made, written)
    return list(made.fields)


def dataframe_schema(frame: DataFrame) -> ResolvedSchema:
    """Return the schema of a DataFrame.

    Raises:
        ValidationException: a column has a type that queries cannot have, or two have names that differ only in case.
    """
    with readable_errors("Reading the schema"):
        fields = fields_of(frame)
    return ResolvedSchema(tuple([Column(f.name, from_spark(f.dataType, f.nullable)) for f in fields]))


def columns_of_struct(struct: StructType) -> list[Column]:
    """Return the fields of a struct of PySpark as columns, with their comments.

    Raises:
        ValidationException: a field has a type that queries cannot have.
    """
    return [
        Column(f.name, from_spark(f.dataType, f.nullable), (f.metadata or {}).get("comment")) for f in struct.fields
    ]


def _of_any_system(written: Any) -> Any:
    """Return what is written of a type with shapes of any system in the place of all others."""
    if isinstance(written, str):
        return _SHAPE.sub(r"\1(SRID:ANY\4)", written)
    parts = ("type", "elementType", "keyType", "valueType")
    changed = {key: _of_any_system(value) if key in parts else value for key, value in written.items()}
    if "fields" in written:
        changed["fields"] = [_of_any_system(field) for field in written["fields"]]
    return changed


def _restore(made: DataType, written: Any) -> None:
    """Give the shapes in a type the systems that are written."""
    if isinstance(made, ArrayType):
        _restore(made.elementType, written["elementType"])
    elif isinstance(made, MapType):
        _restore(made.keyType, written["keyType"])
        _restore(made.valueType, written["valueType"])
    elif isinstance(made, StructType):
        for field, of_field in zip(made.fields, written["fields"], strict=True):
            _restore(field.dataType, of_field["type"])
    elif isinstance(written, str) and (found := _SHAPE.fullmatch(written)) is not None and found[3] != "ANY":
        made.srid = _OF_THE_OGC.get(found[3]) or int(found[3])  # type: ignore[attr-defined]  # it is a shape
