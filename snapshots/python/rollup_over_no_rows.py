from tableapi.expressions import col

result = env.from_path("nothing").rollup(col("a")).select(col("a"), col("b").count.alias("n"))
