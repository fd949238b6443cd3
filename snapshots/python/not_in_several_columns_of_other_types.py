from tableapi.expressions import col, row

selected_lines = (
    env.from_path("lines").filter(col("quantity").is_not_null).select(col("line_order"), col("sku"))
)
result = (
    env.from_path("left_bag").filter(~row(col("x"), col("y")).in_(selected_lines)).select(col("x"))
)
