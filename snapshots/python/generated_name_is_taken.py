from tableapi.expressions import col

result = (
    env.from_path("left_bag")
    .filter(col("x") == 2)
    .select((col("x") + 1).alias("_c0_0"), col("x").alias("_c0"), col("x").alias("_C2"))
)
