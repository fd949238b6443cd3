from tableapi.expressions import col

result = (
    env.from_path("lines")
    .group_by(col("sku").upper_case.alias("upper"))
    .select(
        (col("upper") + "!").alias("name"),
        col("quantity").sum.alias("s"),
        (col("quantity").sum * col("quantity").sum).alias("square"),
    )
    .filter(col("name") != "CAP!")
)
