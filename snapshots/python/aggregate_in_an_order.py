from tableapi.expressions import col

result = (
    env.from_path("lines")
    .group_by(col("line_order"))
    .select(
        col("line_order"),
        col("sku")
        .list_agg(", ")
        .within_group(col("quantity").desc.nulls_first, col("sku"))
        .alias("skus"),
    )
)
