from tableapi.expressions import col, concat

result = (
    env.from_path("lines")
    .filter(col("line_order") == 100)
    .add_columns(concat(col("sku"), "-", col("quantity")).alias("k"))
)
