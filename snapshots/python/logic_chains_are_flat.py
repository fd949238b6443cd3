from tableapi.expressions import col

result = (
    env.from_path("lines")
    .filter(
        (col("quantity") > 0)
        & (col("quantity") < 100)
        & (col("sku") != "ink")
        & ((col("sku") == "pen") | (col("sku") == "pad") | (col("sku") == "cap")),
    )
    .select(col("sku"), col("quantity"))
)
