from tableapi.expressions import col, exists

lines = env.from_path("lines")
filtered_products = (
    env.from_path("products")
    .filter(col("product") == lines.outer("sku"))
    .filter(col("price").is_not_null)
)
result = lines.group_by(col("sku")).select(
    col("sku"),
    col("*").count.alias("n"),
    exists(filtered_products).alias("e"),
)
