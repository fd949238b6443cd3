from tableapi.expressions import col

orders = env.from_path("orders")
lines_summary = (
    env.from_path("lines")
    .filter(col("line_order") == orders.outer("order_id"))
    .select(col("quantity").sum.alias("q"), col("*").count.alias("n"))
)
result = orders.left_outer_join_lateral(
    lines_summary,
    (col("n") > 0) & (col("amount") < 50),
).select(col("order_id"), col("q"), col("n"))
