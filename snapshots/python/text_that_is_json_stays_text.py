from tableapi import JsonOnNull
from tableapi.expressions import col, concat, json_object

result = (
    env.from_path("left_bag")
    .filter(col("x") == 2)
    .select(json_object(JsonOnNull.NULL, "t", concat('{"x":', col("x"), "}")).alias("j"))
)
