from tableapi.expressions import col, exists

customers = env.from_path("customers")
filtered_orders_and_lines = (
    env.from_path("orders")
    .join(env.from_path("lines"), col("order_id") == col("line_order"))
    .filter((col("customer_id") == customers.outer("id")) & (col("sku") == "pad"))
)
result = customers.filter(exists(filtered_orders_and_lines)).select(col("name"))
