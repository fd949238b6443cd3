from tableapi.expressions import array, col, inline

result = (
    env.from_path("products")
    .select(col("product"), array(col("size")).alias("sizes"))
    .left_outer_join_lateral(inline(col("sizes")).alias("w", "box"))
    .select(col("product"), col("w"), col("box").get("depth").alias("depth"))
)
