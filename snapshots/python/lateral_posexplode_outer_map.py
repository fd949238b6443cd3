from tableapi.expressions import col, posexplode

result = (
    env.from_path("products")
    .left_outer_join_lateral(posexplode(col("attributes")))
    .select(col("product"), col("pos").is_null.alias("none"), col("value"))
)
