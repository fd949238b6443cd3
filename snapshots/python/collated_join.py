from tableapi.expressions import col

customers = env.from_path("customers")
selected_customers = customers.select(
    col("id").alias("other"),
    col("city").upper_case.collate("UNICODE_CI").alias("town"),
)
result = (
    customers.select(col("id"), col("city").collate("UNICODE_CI").alias("city"))
    .rename_columns(col("id").alias("one"))
    .join(selected_customers)
    .filter((col("city") == col("town")) & (col("one") < col("other")))
    .select(col("one"), col("other"))
)
