"""Functions of Spark and Flink that no query can call, by SQL name, with the reason and an alternative."""

from __future__ import annotations

from ir.light_typing import Final
from ir.migration_page import Section

STREAM = "Spark has nothing like it, for streams either"
_MODEL = "only Flink has models"
_NANOSECONDS = "it uses nanosecond timestamps, which Spark supports only with spark.sql.timestampNanosTypes.enabled"
_AVRO = (
    "an Avro schema defines the type of its result, and only Spark with its package org.apache.spark:spark-avro reads "
    "such a schema"
)
_PROTOBUF = (
    "a descriptor file defines the type of its result, and only Spark with its package "
    "org.apache.spark:spark-protobuf reads such a file"
)
_BY_DATAFRAME = "Call it on a Spark DataFrame, and convert the DataFrame with from_spark."

_BITMAP = (
    "Flink's bytes encode a Roaring bitmap (containers that are lists, bit sets or runs), which no function of Spark "
    "reads or writes; a bitmap of Spark's own BITMAP_ functions is the 4,096 plain bytes of one bucket",
    "BITMAP_TO_ARRAY returns the numbers, and BITMAP_BUILD makes a bitmap from them; to read or write the bytes, use "
    "the package pyroaring in a user-defined function.",
)

REFUSED: Final[dict[str, tuple[str, str]]] = {
    "current_row_timestamp": (STREAM, "Use CURRENT_TIMESTAMP, the instant at which the query began."),
    "current_watermark": (STREAM, "Use the end of a time window."),
    "proctime": (STREAM, "Use a time column."),
    "source_watermark": (STREAM, "State the delay of the watermark: ts - INTERVAL '10' SECOND."),
    "timestamp_nanos": (_NANOSECONDS, "Use TIMESTAMP_MICROS."),
    "unix_nanos": (_NANOSECONDS, "Use UNIX_MICROS."),
    **dict.fromkeys(("from_avro", "to_avro", "schema_of_avro"), (_AVRO, _BY_DATAFRAME)),
    **dict.fromkeys(("from_protobuf", "to_protobuf"), (_PROTOBUF, _BY_DATAFRAME)),
    **dict.fromkeys(("bitmap_from_bytes", "bitmap_to_bytes"), _BITMAP),
    "python_worker_logs": (
        "it lists the logs of Spark's Python workers, which belong to no table",
        "Call it in Spark, through TableEnvironment.spark.",
    ),
    "measure": (
        "it evaluates a measure of a metric view, and tables here have no measures",
        "Select the aggregate that the measure stands for.",
    ),
    "ml_predict": (_MODEL, "Compute predictions in a user-defined function."),
}

SECTIONS: Final[dict[str, str]] = {
    STREAM: Section.STREAMS,
    _MODEL: Section.MODULES,
    _BITMAP[0]: Section.FUNCTIONS,
}
"""The section of the PyFlink migration page that explains a reason, for functions that only Flink has."""

_PATH = "Get the enclosing array with JSON_QUERY, read it with FROM_JSON, and call FILTER, SLICE or TRANSFORM."

REFUSED_PATHS: Final[dict[str, tuple[str, str]]] = {
    "$.a[?(@.b > 1)]": (
        "a filter is an expression in a separate language, over values whose types are known only at run time; Spark's "
        "paths (VARIANT_GET, GET_JSON_OBJECT) support only names, indexes and wildcards",
        _PATH,
    ),
    "$.a[1:3], $.a[0,2]": (
        "Spark's paths support neither slices nor index lists, and their result in Flink is one value or an array "
        "by rules that apply to no other step",
        _PATH,
    ),
    "$..a": (
        "it visits the values at every depth of the text, and an expression of Spark has a fixed depth",
        "Write a path to the values at each depth.",
    ),
}
"""Steps of JSON paths that JSON_EXISTS, JSON_QUERY and JSON_VALUE reject, with the reason and an alternative."""
