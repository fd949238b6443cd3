from tableapi.expressions import col, row

result = (
    env.from_path("left_bag")
    .filter(col("x") == 2)
    .select(col("y") + col("y"), row(1, 2).alias("r"))
)
