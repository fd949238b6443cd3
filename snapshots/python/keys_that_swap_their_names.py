from tableapi.expressions import col

result = (
    env.from_path("left_bag")
    .group_by(col("x"), col("y"))
    .select(col("x").alias("y"), col("y").alias("x"), col("x").count.alias("n"))
)
