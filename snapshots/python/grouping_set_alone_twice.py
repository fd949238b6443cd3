from tableapi.expressions import col

result = (
    env.from_path("lines")
    .grouping_sets([col("sku")], [col("sku")])
    .select(col("sku"), col("quantity").sum.alias("s"))
    .filter(col("s") > 4)
)
