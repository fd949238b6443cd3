from tableapi.expressions import col

result = (
    env.from_path("left_bag")
    .sort_within_partitions(col("x") + 1)
    .select(col("x"))
    .filter(col("x") == 3)
)
