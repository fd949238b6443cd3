from tableapi.expressions import call, col

result = (
    env.from_path("orders")
    .filter(col("amount").is_not_null)
    .select(
        col("order_id"),
        call("to_char", col("amount"), "S000D00").alias("written"),
        call("to_number", call("to_char", col("amount"), "S000D00"), "S000D00").alias("amount"),
        call("format_number", col("amount"), 1).alias("rounded"),
        call("to_char", col("ordered_at"), "yyyy-MM").alias("month"),
    )
)
