from tableapi.expressions import col

result = (
    env.from_path("lines")
    .group_by(col("sku").substring(1, 1).alias("sku"))
    .select(col("sku"), col("sku").count.alias("n"))
)
