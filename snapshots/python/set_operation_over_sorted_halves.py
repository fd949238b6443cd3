from tableapi.expressions import col

lines = env.from_path("lines")
result = (
    lines.order_by(col("quantity").desc)
    .fetch(1)
    .union_all(lines.order_by(col("line_order").desc).fetch(1))
)
