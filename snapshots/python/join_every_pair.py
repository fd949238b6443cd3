from tableapi.expressions import col

result = (
    env.from_path("left_bag")
    .filter(col("x") == 2)
    .join(env.from_path("right_bag").alias("x2", "y2"))
    .select(col("y"), col("x2"))
)
