from tableapi.expressions import col

result = env.from_path("left_bag").sample(1.0, seed=7).select(col("x").count)
