from tableapi.expressions import col, exists

orders = env.from_path("orders")
filtered_lines = env.from_path("lines").filter(col("line_order") == orders.outer("order_id"))
result = (
    orders.group_by(exists(filtered_lines).alias("has_lines"))
    .select(col("has_lines"), col("amount").sum.alias("total"))
    .order_by(col("has_lines"))
)
