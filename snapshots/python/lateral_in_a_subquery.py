from tableapi.expressions import col, explode

lines = env.from_path("lines")
selected_products = (
    env.from_path("products")
    .join_lateral(explode(col("tags")).alias("tag"))
    .filter(col("tag").is_not_null & (col("product") == lines.outer("sku")))
    .select(col("product"))
)
result = lines.filter(col("sku").in_(selected_products)).select(col("line_order"), col("sku"))
