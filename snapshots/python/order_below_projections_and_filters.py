from tableapi.expressions import col

result = (
    env.from_path("lines")
    .order_by(col("quantity").desc, col("sku"))
    .select(col("sku").alias("quantity"), col("line_order"))
    .filter(col("line_order") < 999)
    .select(col("quantity").upper_case.alias("line_order"))
)
