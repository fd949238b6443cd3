from tableapi.expressions import col, if_then_else

result = (
    env.from_path("orders")
    .filter(col("order_id") < 102)
    .select(
        if_then_else(col("order_id") == 100, col("order_id"), col("amount")).alias("m"),
        if_then_else(col("order_id") == 100, 1, col("discount")).alias("d"),
    )
)
