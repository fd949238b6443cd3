from tableapi.expressions import col, exists

customers = env.from_path("customers")
selected_left_bag = (
    env.from_path("left_bag").filter(col("y") == customers.outer("gender")).select(col("x"))
)
orders_and_left_bag = (
    env.from_path("orders")
    .filter((col("customer_id") == customers.outer("id")) & (col("status") == "lost"))
    .select(col("customer_id"))
    .union_all(selected_left_bag)
)
result = customers.filter(exists(orders_and_left_bag)).select(col("id"))
