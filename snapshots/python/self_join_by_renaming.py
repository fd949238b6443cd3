from tableapi.expressions import col

lines = env.from_path("lines")
result = lines.join(
    lines.alias("o2", "s2", "q2"),
    (col("line_order") == col("o2")) & (col("sku") < col("s2")),
).select(col("sku"), col("s2"))
