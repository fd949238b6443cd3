"""Functions of Spark and Flink that no query can call: by name in SQL, with the reason and what to do instead."""

from __future__ import annotations

from typing import Final

_STREAM = "it is for streams, and queries here run over bounded input"
_NANOSECONDS = "it is for timestamps of nanoseconds, which Spark has only under spark.sql.timestampNanosTypes.enabled"
_CALENDAR = "its result is an interval of months, days and microseconds at once, which no column and no view can hold"
_AVRO = (
    "the type of the result stands in a schema of Avro, which only Spark with its package org.apache.spark:spark-avro "
    "reads"
)
_PROTOBUF = (
    "the type of the result stands in a descriptor file, which only Spark with its package "
    "org.apache.spark:spark-protobuf reads"
)
_OBJECT = "Spark has no structured types, which a class gives its name"
_SHAPES = "there are no types GEOMETRY and GEOGRAPHY here"
_BY_DATAFRAME = "Call it on a DataFrame, and take that with from_spark."
_PARTS = "MAKE_YM_INTERVAL makes one of years and months, MAKE_DT_INTERVAL one of days to seconds."

_BITMAP = (
    "the bytes of Flink's bitmaps are of Roaring, a format that Spark does not read",
    "BITMAP_TO_ARRAY gives the numbers, and BITMAP_BUILD makes a bitmap of them.",
)

REFUSED: Final[dict[str, tuple[str, str]]] = {
    "current_row_timestamp": (_STREAM, "CURRENT_TIMESTAMP is the instant at which the query began."),
    "current_watermark": (_STREAM, "A window over a time knows its end."),
    "make_interval": (_CALENDAR, _PARTS),
    "object_of": (_OBJECT, "Use a row, whose fields have names: NAMED_STRUCT('x', 1)."),
    "object_update": (_OBJECT, "Build another row of the fields: NAMED_STRUCT('x', a.x, 'y', 2)."),
    "proctime": (_STREAM, "Use a column that holds a time."),
    "source_watermark": (_STREAM, "A watermark of a table has no effect in batch."),
    "timestamp_nanos": (_NANOSECONDS, "Use TIMESTAMP_MICROS."),
    "try_make_interval": (_CALENDAR, _PARTS),
    "unix_nanos": (_NANOSECONDS, "Use UNIX_MICROS."),
    **dict.fromkeys(("from_avro", "to_avro", "schema_of_avro"), (_AVRO, _BY_DATAFRAME)),
    **dict.fromkeys(("from_protobuf", "to_protobuf"), (_PROTOBUF, _BY_DATAFRAME)),
    **dict.fromkeys(
        ("st_asbinary", "st_geogfromwkb", "st_geomfromwkb", "st_setsrid", "st_srid"), (_SHAPES, _BY_DATAFRAME)
    ),
    **dict.fromkeys(("bitmap_from_bytes", "bitmap_to_bytes"), _BITMAP),
    "python_worker_logs": (
        "it lists what workers have logged, and is of no table",
        "Ask Spark: TableEnvironment.spark.",
    ),
    "measure": (
        "it is of the measures of a metric view, and tables here have none",
        "Select the aggregate that the measure stands for.",
    ),
    "ml_predict": ("models are Flink's", "Compute predictions in a function of your own."),
}
