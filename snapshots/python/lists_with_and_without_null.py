from tableapi.expressions import col

result = (
    env.from_path("lines")
    .filter(col("quantity").is_null)
    .select(
        col("quantity").array_agg.alias("without"),
        col("quantity").array_agg.respect_nulls.alias("with"),
        col("sku").collect_set.alias("set"),
        col("quantity").collect_set.respect_nulls.alias("set_with"),
    )
)
