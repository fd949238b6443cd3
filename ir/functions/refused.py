"""Functions of Spark and Flink that no query can call, by SQL name, with the reason and an alternative."""

from __future__ import annotations

from typing import Final

from ir.migration_page import Section

STREAM = "it is for streams, and queries here run over bounded input"
_MODEL = "models are Flink's"
_NANOSECONDS = "it is for timestamps of nanoseconds, which Spark has only under spark.sql.timestampNanosTypes.enabled"
_AVRO = (
    "the type of the result stands in a schema of Avro, which only Spark with its package org.apache.spark:spark-avro "
    "reads"
)
_PROTOBUF = (
    "the type of the result stands in a descriptor file, which only Spark with its package "
    "org.apache.spark:spark-protobuf reads"
)
_BY_DATAFRAME = "Call it on a DataFrame, and take that with from_spark."

_BITMAP = (
    "Flink's bytes are those of a Roaring bitmap (of containers: lists, sets of bits or runs), which "
    "no function of Spark reads or writes; the bitmaps of Spark's own BITMAP_ functions are 4,096 plain bytes of one "
    "bucket",
    "BITMAP_TO_ARRAY gives the numbers, and BITMAP_BUILD makes a bitmap of them; a function of your own with the "
    "package pyroaring reads and writes the bytes.",
)

REFUSED: Final[dict[str, tuple[str, str]]] = {
    "current_row_timestamp": (STREAM, "CURRENT_TIMESTAMP is the instant at which the query began."),
    "current_watermark": (STREAM, "A window over a time knows its end."),
    "from_changelog": (STREAM, "Read the changes as rows, and aggregate them."),
    "proctime": (STREAM, "Use a column that holds a time."),
    "source_watermark": (STREAM, "A watermark of a table has no effect in batch."),
    "timestamp_nanos": (_NANOSECONDS, "Use TIMESTAMP_MICROS."),
    "to_changelog": (STREAM, "All rows of a query are insertions."),
    "unix_nanos": (_NANOSECONDS, "Use UNIX_MICROS."),
    **dict.fromkeys(("from_avro", "to_avro", "schema_of_avro"), (_AVRO, _BY_DATAFRAME)),
    **dict.fromkeys(("from_protobuf", "to_protobuf"), (_PROTOBUF, _BY_DATAFRAME)),
    **dict.fromkeys(("bitmap_from_bytes", "bitmap_to_bytes"), _BITMAP),
    "python_worker_logs": (
        "it lists what workers have logged, and is of no table",
        "Ask Spark: TableEnvironment.spark.",
    ),
    "measure": (
        "it is of the measures of a metric view, and tables here have none",
        "Select the aggregate that the measure stands for.",
    ),
    "ml_predict": (_MODEL, "Compute predictions in a function of your own."),
}

SECTIONS: Final[dict[str, str]] = {
    STREAM: Section.STREAMS,
    _MODEL: Section.MODULES,
    _BITMAP[0]: Section.FUNCTIONS,
}
"""The section of the PyFlink migration page that explains a reason, for functions that only Flink has."""

_PATH = "Take the array around it with JSON_QUERY, read that with FROM_JSON, and use FILTER, SLICE or TRANSFORM of it."

REFUSED_PATHS: Final[dict[str, tuple[str, str]]] = {
    "$.a[?(@.b > 1)]": (
        "a filter is an expression of a language of its own, over values whose types are known as they are read; "
        "Spark's paths (VARIANT_GET, GET_JSON_OBJECT) have names, indexes and wildcards alone",
        _PATH,
    ),
    "$.a[1:3], $.a[0,2]": (
        "Spark's paths have no slices and no lists of indexes, and in Flink what they find is one value or an array by "
        "rules that no other step has",
        _PATH,
    ),
    "$..a": (
        "it visits the values at every depth, however deep the text is, and an expression of Spark's has a fixed depth",
        "Name each way to the values.",
    ),
}
"""Steps of JSON paths that JSON_EXISTS, JSON_QUERY and JSON_VALUE reject, with the reason and an alternative."""
