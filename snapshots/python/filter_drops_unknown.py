from tableapi.expressions import col

result = env.from_path("orders").filter(col("discount") < 0.3).select(col("order_id"))
