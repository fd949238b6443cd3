from tableapi.expressions import col

result = (
    env.from_path("lines")
    .group_by((col("line_order") % 2).alias("odd"))
    .select(col("odd"), col("quantity").sum.alias("q"))
)
