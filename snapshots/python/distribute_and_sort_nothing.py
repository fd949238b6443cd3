from tableapi.expressions import col

result = env.from_path("nothing").distribute_by(col("a")).sort_within_partitions(col("b"))
