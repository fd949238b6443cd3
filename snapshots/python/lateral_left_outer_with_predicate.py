from tableapi.expressions import col, explode, lit, scalar

products = env.from_path("products")
result = products.left_outer_join_lateral(
    explode(col("tags")).alias("tag"),
    col("tag") == scalar(products.select(lit("a5").max)),
).select(col("product"), col("tag"))
