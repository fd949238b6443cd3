from tableapi.expressions import col

result = (
    env.from_path("lines")
    .filter(col("sku") == "pad")
    .select(col("quantity").first_value.alias("a"), col("quantity").last_value.alias("b"))
)
