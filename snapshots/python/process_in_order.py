from tableapi.expressions import col, descriptor

result = (
    env.from_path("orders")
    .partition_by(col("customer_id"))
    .order_by(col("ordered_at"), col("amount").desc)
    .process("timed", on_time=descriptor("ordered_at"))
)
