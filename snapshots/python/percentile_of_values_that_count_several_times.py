from tableapi.expressions import col

result = (
    env.from_path("lines")
    .filter(col("quantity").is_not_null)
    .select(col("line_order").percentile(0.5, col("quantity")).alias("middle"))
)
