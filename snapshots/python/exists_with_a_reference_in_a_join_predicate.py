from tableapi.expressions import col, exists

customers = env.from_path("customers")
orders_and_lines = env.from_path("orders").join(
    env.from_path("lines"),
    (col("order_id") == col("line_order")) & (col("customer_id") == customers.outer("id")),
)
result = customers.filter(exists(orders_and_lines)).select(col("id"))
