from tableapi.expressions import col, scalar

orders = env.from_path("orders")
selected_customers = (
    env.from_path("customers").filter(col("id") == orders.outer("customer_id")).select(col("city"))
)
result = orders.group_by(scalar(selected_customers).alias("city")).select(
    col("city"),
    (col("amount") - scalar(env.from_path("lines").select(col("quantity").min))).sum.alias("s"),
)
