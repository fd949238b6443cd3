from tableapi.expressions import col, explode

result = (
    env.from_path("products")
    .left_outer_join_lateral(explode(col("attributes")).alias("k`ey", "VALUE"))
    .filter(col("VALUE").is_null)
    .select(col("product"), col("k`ey"))
)
