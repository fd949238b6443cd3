from tableapi.expressions import col, explode

result = (
    env.from_path("products")
    .join_lateral(explode(col("tags")).alias("tag"))
    .select(col("product"), col("tag"))
)
