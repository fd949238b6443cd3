from tableapi.expressions import col, rand

result = (
    env.from_path("left_bag")
    .group_by((rand() * 0).alias("zero"))
    .select(col("zero"), col("x").count.alias("n"))
)
