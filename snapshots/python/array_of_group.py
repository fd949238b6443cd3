from tableapi.expressions import col

result = (
    env.from_path("lines")
    .filter(col("line_order") == 102)
    .select(col("quantity").array_agg.alias("a"))
)
