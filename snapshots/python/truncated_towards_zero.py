from tableapi.expressions import col

result = env.from_path("orders").select(
    col("order_id").truncate(-1).alias("tens"),
    col("amount").truncate(0).alias("whole"),
    col("amount").truncate(1).alias("tenths"),
    (col("discount") * -10).truncate(0).alias("steps"),
)
