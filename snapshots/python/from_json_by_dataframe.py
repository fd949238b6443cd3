from tableapi.expressions import col, map_

result = (
    env.from_path("left_bag")
    .select(
        col("y").from_json("STRUCT<`a`: INT>", map_("mode", "PERMISSIVE")).alias("r"),
        col("y").from_json("MAP<STRING, INT>").alias("m"),
        col("y").get_json_object("$.a").alias("o"),
        col("y").json_array_length().alias("n"),
        col("y").json_object_keys().alias("k"),
    )
    .filter(col("k").is_not_null)
)
