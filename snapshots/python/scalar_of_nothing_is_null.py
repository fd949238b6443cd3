from tableapi.expressions import col, scalar

nothing = env.from_path("nothing")
result = (
    env.from_path("left_bag")
    .filter(col("x") == 2)
    .select(
        scalar(nothing.select(col("a"))).alias("a"),
        (scalar(nothing.select(col("*").count)) + 1).alias("n"),
    )
)
