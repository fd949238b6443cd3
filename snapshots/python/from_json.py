from tableapi import JsonOnNull
from tableapi.expressions import col, json_object

result = (
    env.from_path("left_bag")
    .filter(col("x") >= 2)
    .select(json_object(JsonOnNull.NULL, "x", col("x"), "y", col("y")).alias("j"))
    .select(col("j").from_json("x INT, y STRING NOT NULL, z ARRAY<INT>").alias("r"))
    .select(col("r").get("x"), col("r").get("y").alias("text"), col("r").get("z"))
)
