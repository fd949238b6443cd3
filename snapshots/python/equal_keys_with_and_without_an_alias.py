from tableapi.expressions import col

result = (
    env.from_path("left_bag")
    .group_by(col("y"), col("y").alias("again"), col("y").alias("third"))
    .select(col("y"), col("again"), col("third"), col("*").count.alias("n"))
)
