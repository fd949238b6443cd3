from tableapi.expressions import col

result = env.from_path("nothing").group_by(col("a")).select(col("a"), col("b").count)
