from tableapi.expressions import col

result = (
    env.from_path("lines")
    .filter(col("quantity").between(2, 3))
    .select(col("sku"), col("quantity").not_between(3, 9).alias("n"))
)
