from tableapi.expressions import col, scalar

products = env.from_path("products")
lines_summary = (
    env.from_path("lines")
    .filter(col("sku") == products.outer("product"))
    .select(col("quantity").max - col("quantity").min)
)
result = products.select(col("product"), scalar(lines_summary).alias("span"))
