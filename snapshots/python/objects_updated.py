from tableapi.expressions import call, col, row

result = (
    env.from_path("products")
    .select(
        call(
            "case",
            col("size").is_not_null,
            row(
                (col("size").get("width") + 10).alias("width"),
                col("size").get("box").alias("box"),
            ),
        ).alias("wider"),
        row(col("product").upper_case.alias("name"), col("price").alias("from")).alias("class"),
    )
    .filter(col("class").get("name") != "INK")
)
