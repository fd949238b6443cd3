from tableapi.expressions import col, exists

orders = env.from_path("orders")
filtered_lines = env.from_path("lines").filter(col("line_order") == orders.outer("order_id"))
result = orders.select(
    col("*").count.where(exists(filtered_lines)).alias("n"),
    col("amount")
    .max.where(col("status").in_(orders.filter(col("amount") < 1).select(col("status"))))
    .alias("m"),
)
