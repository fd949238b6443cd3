from tableapi.expressions import col, exists

orders = env.from_path("orders")
selected_products = env.from_path("products").filter(col("price") > 2).select(col("product"))
filtered_lines = (
    env.from_path("lines")
    .filter(col("line_order") == orders.outer("order_id"))
    .filter(col("sku").in_(selected_products))
)
filtered_lines_2 = filtered_lines.select(col("sku").alias("what")).filter(col("what") == "ink")
result = orders.filter(
    exists(filtered_lines.filter(col("quantity") > 1))
    & ~exists(filtered_lines.filter(col("quantity") > 5))
    & exists(filtered_lines_2),
).select(col("order_id"))
