from tableapi.expressions import array, col, explode

result = (
    env.from_path("lines")
    .group_by(col("line_order"))
    .select(
        col("line_order"),
        col("quantity").max.alias("most"),
        col("quantity").min.alias("least"),
    )
    .join_lateral(explode(array(col("most"), col("least"))).alias("n"))
    .filter(col("n") > 2)
    .select(col("line_order"), col("n"))
)
