from tableapi.expressions import col

result = env.from_path("nothing").select(
    col("b").lpad(col("a"), "x").alias("`p`"),
    col("b").split_index(",", col("a")).alias("window"),
    col("b").trim_trailing("x").trim_leading().alias("EXPR$0"),
)
