from tableapi.expressions import col, scalar

orders = env.from_path("orders")
lines_summary = (
    env.from_path("lines")
    .filter(col("line_order") == orders.outer("order_id"))
    .select(col("quantity").sum.alias("q"))
)
result = orders.select(col("order_id"), scalar(lines_summary).alias("quantity"))
