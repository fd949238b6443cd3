from tableapi.expressions import col

result = env.from_path("products").select(
    col("size").get("width").alias("w"),
    col("size").get("width"),
    col("size").get("box").get("depth"),
    (col("size").get("width") + 1).alias("p"),
)
