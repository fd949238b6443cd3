from tableapi.expressions import col, descriptor

result = (
    env.from_path("orders")
    .partition_by(col("customer_id"))
    .process("count_with_timeout", on_time=descriptor("ordered_at"), uid="main-counting")
)
