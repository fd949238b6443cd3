from tableapi.expressions import col, scalar

lines = env.from_path("lines")
lines_summary = (
    lines.rename_columns(col("line_order").alias("o"))
    .filter(col("sku") == lines.outer("sku"))
    .select((col("quantity").avg * 2).alias("m"))
)
result = lines.filter(col("quantity") * 2 < scalar(lines_summary)).select(
    col("line_order"),
    col("sku"),
)
