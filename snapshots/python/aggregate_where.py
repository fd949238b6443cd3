from tableapi.expressions import col

result = (
    env.from_path("lines")
    .group_by(col("sku"))
    .select(
        col("sku"),
        col("quantity").sum.where(col("quantity") > 2).alias("large"),
        col("*").count.where(col("quantity").is_null).alias("unknown"),
        col("*").count.alias("all"),
    )
)
