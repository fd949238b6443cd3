from tableapi.expressions import col

result = (
    env.from_path("lines")
    .filter(col("quantity").is_not_null)
    .order_by(col("quantity") % 3, col("quantity"), col("sku"))
    .select(col("sku"), col("quantity"))
)
