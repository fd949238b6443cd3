from tableapi.expressions import col, explode

result = (
    env.from_path("products")
    .left_outer_join_lateral(explode(col("tags")))
    .select(col("product"), col("col"))
)
