from tableapi.expressions import col

result = env.from_path("left_bag").sort_within_partitions(col("y").desc, col("x").asc.nulls_last)
