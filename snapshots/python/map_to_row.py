from tableapi.expressions import col

result = (
    env.from_path("left_bag")
    .filter(col("x") == 2)
    .select((col("x") + 1).alias("next"), col("y").alias("f1"))
)
