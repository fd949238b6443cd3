from tableapi.expressions import col

result = (
    env.from_path("lines")
    .hint("repartition", 3, col("sku"))
    .hint("coalesce", 1)
    .filter(col("quantity") > 5)
)
