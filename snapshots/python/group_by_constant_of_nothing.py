from tableapi.expressions import col, lit

result = env.from_path("nothing").group_by(lit(1)).select(col("a").count.alias("n"))
