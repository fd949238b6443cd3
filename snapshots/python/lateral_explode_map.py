from tableapi.expressions import col, explode

result = (
    env.from_path("products")
    .join_lateral(explode(col("attributes")))
    .select(col("product"), col("key"), col("value"))
)
