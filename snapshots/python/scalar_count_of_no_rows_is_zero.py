from tableapi.expressions import col, scalar

customers = env.from_path("customers")
orders_summary = (
    env.from_path("orders")
    .filter(col("customer_id") == customers.outer("id"))
    .select(col("*").count)
)
result = customers.select(col("id"), (scalar(orders_summary) + 0).alias("n"))
