from tableapi.expressions import col, row

result = (
    env.from_path("lines")
    .select(row(col("quantity").alias("sku")).alias("lines"), col("sku"))
    .filter(col("sku") == "pad")
    .select(col("lines").get("sku").alias("q"), col("sku"))
)
