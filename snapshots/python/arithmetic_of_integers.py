from tableapi.expressions import col, lit

result = (
    env.from_path("lines")
    .filter(col("sku") == "pad")
    .select(
        (col("quantity") + 1).alias("p"),
        (col("quantity") - 11).alias("m"),
        (col("quantity") * 2).alias("t"),
        (col("quantity") / 4).alias("d"),
        (col("quantity") % 4).alias("r"),
        (-col("quantity")).alias("n"),
        (lit(-7) % 3).alias("s"),
    )
)
