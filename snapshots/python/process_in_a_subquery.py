from tableapi.expressions import col

selected_by_set = (
    env.from_path("orders")
    .partition_by(col("customer_id"))
    .process("by_set", i=1)
    .select(col("customer_id"))
)
result = env.from_path("customers").filter(col("id").in_(selected_by_set))
