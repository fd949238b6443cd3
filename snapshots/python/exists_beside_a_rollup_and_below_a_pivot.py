from tableapi.expressions import col, exists

lines = env.from_path("lines")
products_summary = (
    env.from_path("products").filter(col("product") == lines.outer("sku")).select(col("price").max)
)
result = (
    lines.rollup(col("sku"))
    .select(col("sku"), col("quantity").sum.alias("n"))
    .filter(exists(products_summary))
    .filter(col("n") > 5)
)
