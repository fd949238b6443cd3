from tableapi.expressions import col, lit

result = env.from_path("lines").group_by(lit(1)).select(col("quantity").sum.alias("q"))
