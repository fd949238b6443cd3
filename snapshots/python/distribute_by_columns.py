from tableapi.expressions import col

result = env.from_path("left_bag").distribute_by(col("y"), col("x"))
