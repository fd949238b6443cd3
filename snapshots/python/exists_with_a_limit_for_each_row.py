from tableapi.expressions import col, scalar

orders = env.from_path("orders")
selected_lines = (
    env.from_path("lines")
    .filter(col("line_order") == orders.outer("order_id"))
    .order_by(col("quantity").desc)
    .fetch(1)
    .select(col("sku"))
)
result = orders.select(
    col("order_id"),
    scalar(selected_lines).alias("most"),
).filter(col("order_id") < 104)
