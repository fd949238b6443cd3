from tableapi.expressions import col

result = (
    env.from_path("orders")
    .order_by(col("order_id").desc)
    .offset(3)
    .fetch(2)
    .select(col("order_id"))
)
