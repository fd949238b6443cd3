from tableapi.expressions import col, exists, if_then_else

orders = env.from_path("orders")
filtered_lines = env.from_path("lines").filter(col("line_order") == orders.outer("order_id"))
result = orders.select(
    if_then_else(exists(filtered_lines), 1, 0).sum.alias("n"),
    exists(env.from_path("nothing")).alias("e"),
)
