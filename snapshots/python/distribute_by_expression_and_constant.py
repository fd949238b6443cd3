from tableapi.expressions import col, lit

result = env.from_path("left_bag").distribute_by(col("x") % 2, lit(5)).filter(col("x") > 1)
