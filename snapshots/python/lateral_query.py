from tableapi.expressions import col

orders = env.from_path("orders")
selected_lines = (
    env.from_path("lines")
    .filter(col("line_order") == orders.outer("order_id"))
    .order_by(col("quantity").desc)
    .fetch(1)
    .select(col("sku"), col("quantity"))
)
result = orders.join_lateral(selected_lines).select(col("order_id"), col("sku"), col("quantity"))
