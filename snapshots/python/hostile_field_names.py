from tableapi.expressions import col, lit, row

result = (
    env.from_path("lines")
    .filter(col("sku") == "cap")
    .select(row(lit(1).alias("a.b"), lit(2).alias("c`d"), lit("x").alias("e f")).alias("r.r"))
    .select(
        col("r.r").get("a.b").alias("i"),
        col("r.r").get("c`d").alias("j"),
        col("r.r").get("e f"),
    )
)
