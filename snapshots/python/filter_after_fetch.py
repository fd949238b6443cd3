from tableapi.expressions import col

result = (
    env.from_path("orders")
    .order_by(col("order_id").desc)
    .fetch(3)
    .filter(col("order_id") > 103)
    .select(col("order_id"))
)
