from tableapi.expressions import array, col, lit, map_, row

result = (
    env.from_path("lines")
    .filter(col("sku") == "pad")
    .select(
        array(1, col("quantity"), lit(None)).alias("a"),
        map_("q", col("quantity"), "z", 0).alias("m"),
        row(col("sku"), 1.5, col("quantity").alias("named")).alias("r"),
        array(row(1, "a"), row(2, "b")).alias("n"),
    )
)
