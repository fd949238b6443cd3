from tableapi.expressions import col

result = (
    env.from_path("lines")
    .filter(col("quantity").is_not_null)
    .cube((col("quantity") % 2).alias("odd"), col("line_order"))
    .select(
        col("odd"),
        col("line_order"),
        col("quantity").sum.alias("s"),
        (col("quantity") % 2).grouping.alias("g"),
    )
    .filter((col("g") == 1) | (col("odd") == 0))
)
