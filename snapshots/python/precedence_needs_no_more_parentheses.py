from tableapi.expressions import col

result = (
    env.from_path("lines")
    .filter(col("sku") == "pen")
    .select(
        ((col("quantity") + 1) * 2 - (3 - col("quantity"))).alias("a"),
        (col("quantity") - 1 - (col("quantity") - 2)).alias("b"),
        (-(col("quantity") + 1)).alias("c"),
        ((col("quantity") > 2) == (col("sku") == "pen")).alias("d"),
        (~((col("quantity") > 2) & (col("sku") == "pen")) | col("quantity").is_null).alias("e"),
    )
)
