from tableapi.expressions import col, exists

customers = env.from_path("customers")
orders = env.from_path("orders")
filtered_lines = env.from_path("lines").filter(
    (col("line_order") == orders.outer("order_id")) & (col("quantity") > 5)
)
filtered_orders = orders.filter(col("customer_id") == customers.outer("id")).filter(
    exists(filtered_lines)
)
result = customers.filter(exists(filtered_orders)).select(col("name"))
