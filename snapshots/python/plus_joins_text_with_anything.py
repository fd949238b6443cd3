from tableapi.expressions import col

result = (
    env.from_path("orders")
    .filter(col("order_id") == 100)
    .select(("#" + col("order_id") + "/" + col("customer_id")).alias("k"))
)
