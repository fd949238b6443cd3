from tableapi.expressions import col

result = (
    env.from_path("left_bag")
    .group_by((col("x") + 1).alias("next"), col("x"))
    .select((col("next") + 2).alias("p"), (col("next") + 2).alias("q"), col("*").count.alias("n"))
)
