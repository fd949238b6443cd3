from tableapi.expressions import col

result = env.from_path("left_bag").select(
    col("x").count.distinct.alias("c"),
    col("x").sum.distinct.alias("s"),
    col("x").avg.distinct.alias("a"),
)
