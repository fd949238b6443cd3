from tableapi.expressions import col, exists

orders = env.from_path("orders")
filtered_lines = env.from_path("lines").filter(col("line_order") == orders.outer("order_id"))
result = orders.filter(exists(filtered_lines)).select(col("order_id"))
