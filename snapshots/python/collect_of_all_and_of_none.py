from tableapi.expressions import col

result = env.from_path("nothing").select(col("a").collect, col("b").collect.alias("start"))
