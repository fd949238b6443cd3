"""Functions of Flink's and Spark's that there are not, each with the reason: what a call by such a name is told."""

from __future__ import annotations

_BITMAP = (
    "Flink's BITMAP is a type of its own, of compressed sets of numbers, which Spark has not",
    "Collect the numbers in an array, or count them with COUNT(DISTINCT …); bits of a BIGINT have BIT_COUNT.",
)
_WATERMARK = ("watermarks are of streams, and queries run in batch", "Compare with CURRENT_TIMESTAMP instead.")
_GEOMETRY = (
    "the types GEOMETRY and GEOGRAPHY are not among those of tables here",
    "Keep such values as WKB in BYTES.",
)
_BITMAP_FUNCTIONS = (
    "and andnot build cardinality from_bytes or to_array to_bytes to_string xor and_cardinality_agg build_agg "
    "build_cardinality_agg or_cardinality_agg xor_agg xor_cardinality_agg"
)

_FORMAT = (
    "Spark has it in a package of its own, which a session need not have",
    "Read and write whole files with TableDescriptor, or use JSON.",
)
_COLLATION = ("text has no collations here", "Compare LOWER(a) with LOWER(b).")

REFUSED: dict[str, tuple[str, str]] = {
    **{f"bitmap_{name}": _BITMAP for name in _BITMAP_FUNCTIONS.split()},
    "current_watermark": _WATERMARK,
    "source_watermark": _WATERMARK,
    **dict.fromkeys(("st_asbinary", "st_geogfromwkb", "st_geomfromwkb", "st_setsrid", "st_srid"), _GEOMETRY),
    **dict.fromkeys(("from_avro", "to_avro", "schema_of_avro", "from_protobuf", "to_protobuf"), _FORMAT),
    **dict.fromkeys(("collate", "collation"), _COLLATION),
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
"""By name in lower case: why there is no such function, and what to do instead."""
