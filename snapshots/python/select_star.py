from tableapi.expressions import col

result = env.from_path("left_bag").add_columns((col("x") + 1).alias("z")).filter(col("z") == 3)
