from tableapi.expressions import col

selected_lines = env.from_path("lines").filter(col("sku") == "pad").select(col("quantity"))
result = (
    env.from_path("orders")
    .filter(col("order_id") == 100)
    .select(col("amount"))
    .union_all(selected_lines)
)
