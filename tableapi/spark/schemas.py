"""Read the columns of a DataFrame, including spatial types that PySpark's schema reader does not know.

PySpark 4.3 knows three of the thousands of spatial reference systems that Spark supports, and fails to read a schema
with any other one.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

from pyspark.errors import PySparkValueError
from pyspark.sql.types import ArrayType, DataType, MapType, StructField, StructType

from ir.operations.source import StreamRead
from ir.schema import Column, ResolvedSchema
from tableapi.spark.errors import readable_errors
from tableapi.spark.types import from_spark

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

# The key of the delay in the metadata of a column that carries a watermark.
_WATERMARK: Final = "spark.watermarkDelayMs"
_SHAPE: Final = re.compile(r"(geometry|geography)\((\w+):(\w+)(, \w+)?\)")
# The names that the Open Geospatial Consortium (OGC) uses instead of numbers.
_OF_THE_OGC: Final = {"CRS27": 4267, "CRS83": 4269, "CRS84": 4326}


def fields_of(frame: DataFrame) -> list[StructField]:
    """Return the fields of a DataFrame's schema; of a spatial type, only ``srid`` is reliable.

    Raises:
        PySparkValueError: PySpark does not know a type, and Spark runs on a server, whose raw schema is out of reach.
    """
    try:
        return list(frame.schema.fields)
    except PySparkValueError:
        described = getattr(frame, "_jdf", None)
        if described is None:
            raise
    written = json.loads(described.schema().json())
    made = StructType.fromJson(_remove_systems(written))
    _restore(made, written)
    return list(made.fields)


def dataframe_schema(frame: DataFrame) -> ResolvedSchema:
    """Return the schema of a DataFrame.

    Raises:
        ValidationException: the type of a column is not supported, or two names differ only in case.
    """
    with readable_errors("Reading the schema"):
        fields = fields_of(frame)
    return ResolvedSchema(tuple([Column(f.name, from_spark(f.dataType, f.nullable)) for f in fields]))


def dataframe_stream(frame: DataFrame) -> StreamRead | None:
    """Return how the rows of a DataFrame are read: as a stream with its columns of times, or None if they end."""
    if not frame.isStreaming:
        return None
    times = [index for index, field in enumerate(frame.schema.fields) if _WATERMARK in (field.metadata or {})]
    return StreamRead(is_declared=True, time_columns=tuple(times))


def columns_of_struct(struct: StructType) -> list[Column]:
    """Convert the fields of a PySpark struct to columns, with their comments.

    Raises:
        ValidationException: the type of a field is not supported.
    """
    return [
        Column(f.name, from_spark(f.dataType, f.nullable), (f.metadata or {}).get("comment")) for f in struct.fields
    ]


def _remove_systems(written: Any) -> Any:
    """Replace all spatial reference systems in the JSON of a type by ANY."""
    if isinstance(written, str):
        return _SHAPE.sub(r"\1(SRID:ANY\4)", written)
    parts = ("type", "elementType", "keyType", "valueType")
    changed = {key: _remove_systems(value) if key in parts else value for key, value in written.items()}
    if "fields" in written:
        changed["fields"] = [_remove_systems(field) for field in written["fields"]]
    return changed


def _restore(made: DataType, written: Any) -> None:
    """Set the spatial reference systems of a type to those in its JSON."""
    if isinstance(made, ArrayType):
        _restore(made.elementType, written["elementType"])
    elif isinstance(made, MapType):
        _restore(made.keyType, written["keyType"])
        _restore(made.valueType, written["valueType"])
    elif isinstance(made, StructType):
        for field, of_field in zip(made.fields, written["fields"], strict=True):
            _restore(field.dataType, of_field["type"])
    elif isinstance(written, str) and (found := _SHAPE.fullmatch(written)) is not None and found[3] != "ANY":
        made.srid = _OF_THE_OGC.get(found[3]) or int(found[3])  # type: ignore[attr-defined]  # it is a spatial type
