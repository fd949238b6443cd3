from tableapi import JsonOnNull
from tableapi.expressions import col, json_array_agg, json_object, json_object_agg

result = (
    env.from_path("lines")
    .filter(col("line_order") == 102)
    .group_by(col("sku"))
    .select(
        json_array_agg(
            JsonOnNull.NULL,
            json_object(JsonOnNull.NULL, "q", col("quantity")),
        ).alias("kept"),
        json_array_agg(
            JsonOnNull.ABSENT,
            json_object(JsonOnNull.ABSENT, "q", col("quantity")),
        ).alias("left_out"),
        json_object_agg(
            JsonOnNull.ABSENT,
            col("sku"),
            json_object(JsonOnNull.NULL, "q", col("quantity")),
        ).alias("in"),
    )
)
