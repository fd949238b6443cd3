from tableapi.expressions import col

result = env.from_path("nothing").select(col("a").count.alias("n")).select(col("n") + 1)
