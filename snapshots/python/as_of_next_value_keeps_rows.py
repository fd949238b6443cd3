from tableapi.expressions import col

result = (
    env.from_path("left_bag")
    .left_outer_as_of_join(env.from_path("right_bag").alias("rx", "ry"), col("x") < col("rx"))
    .select(col("x"), col("rx"))
)
