from tableapi.expressions import col, exists

customers = env.from_path("customers")
filtered_orders = env.from_path("orders").filter(col("customer_id") == customers.outer("id"))
result = customers.filter(~exists(filtered_orders)).select(col("id"), col("name"))
