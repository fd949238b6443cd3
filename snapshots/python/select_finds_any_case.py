from tableapi.expressions import col

result = env.from_path("left_bag").select(col("y"), col("x")).filter(col("x") == 2)
