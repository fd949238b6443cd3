from tableapi.expressions import col

result = env.from_path("products").select(
    col("size").get("width").alias("width"),
    col("size").get("box").alias("box"),
)
