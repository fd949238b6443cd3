from tableapi.expressions import col

result = (
    env.from_path("left_bag")
    .rollup(col("x"))
    .select(col("x"), col("x").sum.alias("s"), (col("x").grouping + 1).alias("g"))
)
