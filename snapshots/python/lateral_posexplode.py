from tableapi.expressions import col, posexplode

result = (
    env.from_path("products")
    .join_lateral(posexplode(col("tags")).alias("p", "tag"))
    .select(col("product"), col("p"), col("tag"))
)
