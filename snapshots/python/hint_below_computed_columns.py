from tableapi.expressions import col

selected_customers = (
    env.from_path("customers")
    .hint("broadcast")
    .filter(col("id") > 1)
    .select(col("id"), col("name").upper_case.alias("shouted"))
)
result = (
    env.from_path("orders")
    .join(selected_customers, col("customer_id") == col("id"))
    .select(col("order_id"), col("shouted"))
)
