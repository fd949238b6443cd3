from tableapi.expressions import col

result = (
    env.from_path("lines")
    .group_by((col("quantity") % 2).alias("line_order"), (col("line_order") + 1).alias("quantity"))
    .select(col("line_order"), col("quantity"), col("*").count.alias("sku"))
)
