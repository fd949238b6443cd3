from tableapi.expressions import col

result = (
    env.from_path("customers")
    .left_outer_join(env.from_path("orders"), col("id") == col("customer_id"))
    .select(col("id"), col("order_id"))
)
