from tableapi.expressions import col, row

result = (
    env.from_path("products")
    .filter(col("product") == "pen")
    .select(
        col("product"),
        col("size").get("width"),
        col("size").get("box"),
        row(1, "a").get("f0"),
        row(1, "a").get("f1"),
        col("size").get("box").get("depth"),
    )
)
