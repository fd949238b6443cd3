from tableapi.expressions import col

result = (
    env.from_path("left_bag")
    .join(env.from_path("right_bag").alias("x2", "y2"), col("x") < col("x2"))
    .select(col("x"), col("x2"))
    .distinct()
)
