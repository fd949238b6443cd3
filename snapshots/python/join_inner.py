from tableapi.expressions import col

result = (
    env.from_path("customers")
    .join(env.from_path("orders"), col("id") == col("customer_id"))
    .select(col("name"), col("order_id"))
)
