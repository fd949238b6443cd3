from tableapi.expressions import col

result = (
    env.from_path("left_bag")
    .group_by(col("x").alias("n"), col("x"))
    .select(col("x"), col("n"), (col("x") + 1).alias("m"))
)
