from tableapi.expressions import col

result = (
    env.from_path("lines")
    .group_by(col("sku"))
    .select(
        col("sku").upper_case.alias("u"),
        (col("quantity").sum * 10 + col("quantity").count).alias("e"),
    )
)
