from tableapi.expressions import col, exists

lines = env.from_path("lines")
filtered_lines = (
    lines.rename_columns(col("sku").alias("other_sku"))
    .filter(
        (col("line_order") == lines.outer("line_order")) & (col("other_sku") != lines.outer("sku"))
    )
    .select(col("quantity").alias("q"))
    .filter(col("q").is_not_null)
)
result = lines.filter(exists(filtered_lines)).select(col("line_order"), col("sku"))
