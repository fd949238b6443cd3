from tableapi.expressions import col

result = (
    env.from_path("lines")
    .group_by(col("sku"))
    .select(col("sku"), col("quantity").sum.alias("s"))
    .select(col("sku") + "!", col("s") * 2)
)
