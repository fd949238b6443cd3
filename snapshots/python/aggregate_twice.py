from tableapi.expressions import col

result = (
    env.from_path("lines")
    .group_by(col("line_order"))
    .select(col("line_order"), col("quantity").sum.alias("q"))
    .select(col("q").max.alias("most"), col("line_order").count.alias("n"))
)
