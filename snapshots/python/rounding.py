from tableapi.expressions import col

result = (
    env.from_path("orders")
    .filter(col("order_id") < 104)
    .select(
        col("order_id"),
        col("amount").round(1).alias("to_tenths"),
        col("amount").round(-1).alias("to_tens"),
        col("discount").round().alias("whole_discount"),
        col("amount").ceil.alias("up"),
        col("amount").floor.alias("down"),
        col("order_id").ceil.alias("same"),
        col("discount").ceil.alias("up_of_double"),
    )
)
