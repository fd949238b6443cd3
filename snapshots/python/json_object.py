from tableapi import JsonOnNull
from tableapi.expressions import col, json_object

result = (
    env.from_path("left_bag")
    .filter(col("x") >= 2)
    .select(
        json_object(JsonOnNull.NULL, "x", col("x"), "y", col("y")).alias("kept"),
        json_object(JsonOnNull.ABSENT, "x", col("x"), "y", col("y")).alias("left_out"),
        json_object(JsonOnNull.NULL).alias("empty"),
    )
)
