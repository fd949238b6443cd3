from tableapi.expressions import col

result = env.from_path("nothing").group_by(col("a")).pivot(col("b"), ["x"]).select(col("a").count)
