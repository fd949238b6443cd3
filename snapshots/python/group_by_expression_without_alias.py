from tableapi.expressions import col

result = (
    env.from_path("lines")
    .group_by(col("sku").upper_case)
    .select(col("sku").upper_case, col("quantity").max)
)
