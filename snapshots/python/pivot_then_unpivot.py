from tableapi.expressions import col

result = (
    env.from_path("lines")
    .group_by(col("line_order"))
    .pivot(col("sku"), ["pen", "ink"])
    .select(col("quantity").sum)
    .unpivot([col("line_order")], [col("pen"), col("ink")], "sku", "total", include_nulls=False)
)
