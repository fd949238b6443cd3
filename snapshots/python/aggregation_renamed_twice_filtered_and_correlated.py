from tableapi.expressions import col, exists

lines_by_sku = (
    env.from_path("lines")
    .group_by(col("sku"))
    .select(col("sku").alias("a"), col("quantity").sum.alias("sku"))
)
filtered_products = (
    env.from_path("products")
    .filter(col("product") == lines_by_sku.outer("a"))
    .filter(col("price") > 1)
)
result = lines_by_sku.filter(col("sku") > 1).filter(exists(filtered_products))
