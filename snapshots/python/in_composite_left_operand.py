from tableapi.expressions import col

result = (
    env.from_path("lines")
    .filter((col("quantity") + 1).in_(3, 4) & (col("sku") == "pen").in_(True))
    .select(col("quantity"))
)
