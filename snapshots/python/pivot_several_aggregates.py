from tableapi.expressions import col

result = (
    env.from_path("orders")
    .group_by(col("customer_id").is_null.alias("anonymous"))
    .pivot(col("status"), {"p": "paid", "none": None})
    .select(col("amount").max.alias("most"), col("*").count.alias("n"))
)
