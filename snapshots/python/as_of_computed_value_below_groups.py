from tableapi.expressions import col

result = (
    env.from_path("left_bag")
    .as_of_join(env.from_path("right_bag").alias("rx", "ry"), col("rx") <= col("x") + 1)
    .filter(col("rx") < 3)
    .group_by(col("x"))
    .select(col("x"), col("ry").count.alias("n"))
)
