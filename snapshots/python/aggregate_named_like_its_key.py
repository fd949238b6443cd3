from tableapi.expressions import col

result = (
    env.from_path("lines")
    .group_by(col("sku"))
    .select(
        col("sku").alias("quantity"),
        col("quantity").sum.alias("line_order"),
        col("line_order").min.alias("sku"),
    )
)
