from tableapi.expressions import col

result = env.from_path("products").select(
    col("product"),
    col("tags").at(1).alias("first"),
    col("tags").at(9).alias("ninth"),
    col("attributes").at("stock").alias("stock"),
    col("tags").cardinality.alias("n"),
)
