from tableapi.expressions import call, col

result = (
    env.from_path("orders")
    .filter(col("order_id") < 104)
    .select(
        col("order_id"),
        col("amount").round(1).alias("to_tenths"),
        col("amount").round(-1).alias("to_tens"),
        col("discount").round().alias("whole_discount"),
        call("ceil", col("amount")).alias("up"),
        call("floor", col("amount")).alias("down"),
        call("ceil", col("order_id")).alias("same"),
        call("ceil", col("discount")).alias("up_of_double"),
    )
)
