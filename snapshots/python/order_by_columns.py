from tableapi.expressions import col

result = env.from_path("left_bag").order_by(col("x"), col("y"))
