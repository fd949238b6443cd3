from tableapi.expressions import col

result = (
    env.from_path("orders")
    .group_by(col("customer_id"), col("status"))
    .pivot(col("amount") > 6, {"high": True})
    .select(col("*").count)
    .group_by(col("status"))
    .pivot(col("customer_id"), {"one": 1, "two": 2})
    .select(col("high").sum)
)
