from tableapi.expressions import col

result = (
    env.from_path("lines")
    .group_by(col("sku"))
    .select(col("sku"), col("quantity").sum.alias("q"))
    .select(col("sku").list_agg(",").within_group(col("q").desc, col("sku")).alias("skus"))
)
