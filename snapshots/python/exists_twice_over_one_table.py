from tableapi.expressions import col, exists

right_bag = env.from_path("right_bag")
lines = env.from_path("lines")
result = lines.filter(
    exists(right_bag.filter(col("x") == lines.outer("quantity")))
    & ~exists(right_bag.filter(col("x") == lines.outer("quantity") + 1)),
).select(col("line_order"), col("quantity"))
