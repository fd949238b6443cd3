from tableapi.expressions import col, row

result = env.from_path("left_bag").filter(row(col("x"), col("y")).in_(env.from_path("right_bag")))
