from tableapi.expressions import col, scalar

orders = env.from_path("orders")
result = orders.filter(col("amount") == scalar(orders.select(col("amount").max))).select(
    col("order_id")
)
