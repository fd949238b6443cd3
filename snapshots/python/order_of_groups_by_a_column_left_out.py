from tableapi.expressions import col

result = (
    env.from_path("left_bag")
    .group_by(col("y"))
    .select(col("y"), col("x").sum.alias("total"), (col("x").sum + 1).alias("more"))
    .order_by(col("more").desc, col("y"))
    .select(col("y"), col("total"))
)
