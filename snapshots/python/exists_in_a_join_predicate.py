from tableapi.expressions import col, exists

orders = env.from_path("orders")
filtered_lines = env.from_path("lines").filter(col("line_order") == orders.outer("order_id"))
result = (
    env.from_path("customers")
    .left_outer_join(orders, (col("id") == col("customer_id")) & exists(filtered_lines))
    .select(col("id"), col("order_id"))
)
