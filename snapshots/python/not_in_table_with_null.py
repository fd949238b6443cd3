from tableapi.expressions import col

result = (
    env.from_path("customers")
    .filter(~col("id").in_(env.from_path("orders").select(col("customer_id"))))
    .select(col("id"))
)
