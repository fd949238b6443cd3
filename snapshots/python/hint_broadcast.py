from tableapi.expressions import col

result = (
    env.from_path("orders")
    .join(env.from_path("customers").hint("broadcast"), col("customer_id") == col("id"))
    .select(col("order_id"), col("name"))
)
