from tableapi import JsonOnNull
from tableapi.expressions import col, json_array_agg
from tableapi.window import Over

result = env.from_path("lines").select(
    col("sku"),
    json_array_agg(JsonOnNull.NULL, col("quantity"))
    .where(col("quantity") > 2)
    .over(Over.partition_by(col("line_order"), col("sku")))
    .alias("large"),
)
