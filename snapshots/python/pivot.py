from tableapi.expressions import col

result = (
    env.from_path("orders")
    .group_by(col("customer_id"))
    .pivot(col("status"), ["paid", "open"])
    .select(col("amount").sum)
)
