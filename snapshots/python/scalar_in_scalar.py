from tableapi.expressions import col, scalar

customers = env.from_path("customers")
orders = env.from_path("orders")
lines_summary = (
    env.from_path("lines")
    .filter(col("line_order") == orders.outer("order_id"))
    .select(col("*").count)
)
orders_summary = (
    orders.filter(col("customer_id") == customers.outer("id"))
    .filter(scalar(lines_summary) > 1)
    .select(col("order_id").min)
)
result = customers.select(col("id"), scalar(orders_summary).alias("first"))
