from tableapi.expressions import col, exists

orders = env.from_path("orders")
filtered_lines = env.from_path("lines").filter(col("line_order") == orders.outer("order_id"))
result = orders.filter(
    exists(filtered_lines) & ~exists(filtered_lines.filter(col("quantity") > 5))
).select(col("order_id"))
