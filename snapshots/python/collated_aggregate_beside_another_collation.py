from tableapi.expressions import col

result = (
    env.from_path("customers")
    .group_by(col("city"))
    .select(col("city"), col("city").max.collate("UTF8_LCASE").alias("most"))
    .filter(col("most") != col("city").upper_case.collate("UTF8_BINARY"))
    .order_by((col("most") == col("city").upper_case.collate("UNICODE_CI")).desc, col("city"))
)
