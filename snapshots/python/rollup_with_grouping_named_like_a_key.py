from tableapi.expressions import col

result = (
    env.from_path("left_bag")
    .rollup(col("y"))
    .select(col("y").alias("z"), col("y").grouping.alias("x"), col("x").max.alias("y"))
)
