from tableapi.expressions import col, lit

result = (
    env.from_path("lines")
    .filter(col("sku") == "cap")
    .select(col("sku").upper_case.alias("a"), lit("日本").char_length.alias("b"))
)
