from tableapi.expressions import col

result = (
    env.from_path("customers")
    .select(col("id"), col("city").collate("UTF8_LCASE").alias("town"), col("city"))
    .order_by(col("town") == col("city").upper_case.collate("UTF8_BINARY"), col("id"))
    .select(col("id"))
)
