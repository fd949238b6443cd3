from tableapi import JsonOnNull
from tableapi.expressions import col, json_array

result = (
    env.from_path("left_bag")
    .filter(col("x") >= 2)
    .select(
        json_array(JsonOnNull.ABSENT, col("x"), col("y")).alias("left_out"),
        json_array(JsonOnNull.NULL, col("x"), col("y")).alias("kept"),
        json_array(JsonOnNull.NULL, col("y"), col("y")).alias("alike"),
        json_array(JsonOnNull.NULL).alias("empty"),
    )
)
