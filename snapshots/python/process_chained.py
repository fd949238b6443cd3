from tableapi.expressions import col, descriptor

result = (
    env.from_path("orders")
    .filter(col("amount") > 10)
    .partition_by(col("customer_id"))
    .process("count_with_timeout", on_time=descriptor("ordered_at"))
    .filter(col("count") > 1)
    .partition_by(col("customer_id"))
    .process("by_set", i=1, on_time=descriptor("rowtime"))
    .select(col("customer_id"), (col("count") + 1).alias("more"))
)
