from tableapi.expressions import col

result = (
    env.from_path("lines")
    .rollup(col("sku"))
    .select(col("sku"), col("quantity").sum.alias("s"))
    .rollup(col("s"))
    .select(col("s"), col("sku").count.alias("n"))
)
