from tableapi.expressions import col

result = (
    env.from_path("left_bag")
    .group_by(col("x"))
    .select(col("x"), (12 / col("*").count).alias("share"), col("y").count.alias("n"))
    .filter((col("share") < 12) & (col("n") > 0))
)
