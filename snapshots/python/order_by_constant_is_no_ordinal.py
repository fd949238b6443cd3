from tableapi.expressions import col

result = env.from_path("left_bag").filter(col("x") == 2)
