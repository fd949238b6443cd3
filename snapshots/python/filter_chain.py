from tableapi.expressions import col

result = (
    env.from_path("orders")
    .filter(col("order_id") > 100)
    .filter(col("order_id") < 104)
    .select(col("order_id"))
)
