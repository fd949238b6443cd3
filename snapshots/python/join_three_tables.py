from tableapi.expressions import col

result = (
    env.from_path("customers")
    .join(env.from_path("orders"), col("id") == col("customer_id"))
    .join(env.from_path("lines"), col("order_id") == col("line_order"))
    .group_by(col("name"))
    .select(col("name"), col("quantity").sum.alias("pieces"))
)
