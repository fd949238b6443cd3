from tableapi.expressions import col

result = (
    env.from_path("customers")
    .left_outer_join(
        env.from_path("orders"),
        (col("id") == col("customer_id")) & (col("amount") > 10),
    )
    .filter(col("order_id").is_null)
    .select(col("id"))
)
