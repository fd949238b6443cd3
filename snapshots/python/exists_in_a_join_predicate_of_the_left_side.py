from tableapi.expressions import col, exists

customers = env.from_path("customers")
filtered_right_bag = env.from_path("right_bag").filter(
    (col("x") == customers.outer("id")) & col("y").is_null
)
result = customers.join(
    env.from_path("orders"),
    (col("id") == col("customer_id")) & ~exists(filtered_right_bag),
).select(col("id"))
