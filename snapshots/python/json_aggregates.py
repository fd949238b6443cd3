from tableapi import JsonOnNull
from tableapi.expressions import col, json_array_agg, json_object_agg

result = (
    env.from_path("lines")
    .group_by(col("line_order"), col("sku"))
    .select(
        col("line_order"),
        json_object_agg(JsonOnNull.NULL, col("sku"), col("quantity")).alias("object"),
        json_object_agg(JsonOnNull.ABSENT, col("sku"), col("quantity")).alias("less"),
        json_array_agg(JsonOnNull.NULL, col("quantity")).alias("array"),
        json_array_agg(JsonOnNull.ABSENT, col("quantity")).alias("shorter"),
    )
)
