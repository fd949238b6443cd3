from tableapi.expressions import col

result = (
    env.from_path("left_bag")
    .grouping_sets([col("x")], [col("y")])
    .select(
        col("x").alias("y"),
        col("y").alias("x"),
        col("x").sum.alias("a"),
        col("x").grouping.alias("gx"),
        col("y").grouping.alias("gy"),
    )
)
