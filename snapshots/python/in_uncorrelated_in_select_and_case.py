from tableapi.expressions import col, if_then_else

result = (
    env.from_path("lines")
    .select(
        col("sku"),
        if_then_else(
            col("sku").in_(env.from_path("products").select(col("product"))),
            1,
            0,
        ).alias("known"),
    )
    .filter(col("sku") != "pen")
)
