from tableapi.expressions import col

result = (
    env.from_path("lines")
    .filter(col("line_order") == 100)
    .filter(col("sku") == "pen")
    .select(col("sku").list_agg("|").alias("t"))
)
