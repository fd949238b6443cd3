from tableapi.expressions import col

result = (
    env.from_path("lines")
    .filter(col("sku").in_("pen", "pad"))
    .filter(~col("quantity").in_(2, 3))
    .select(col("line_order"))
)
