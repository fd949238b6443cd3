from tableapi.expressions import col

selected_orders = (
    env.from_path("orders").filter(col("customer_id").is_not_null).select(col("customer_id"))
)
result = env.from_path("customers").filter(~col("id").in_(selected_orders)).select(col("id"))
