from tableapi.expressions import col

customers = env.from_path("customers")
selected_customers = customers.select(col("id") + 10, col("city").upper_case.collate("UNICODE_CI"))
result = (
    customers.select(col("id"), col("city").collate("UNICODE_CI").alias("city"))
    .union_all(selected_customers)
    .group_by(col("city"))
    .select(col("city").lower_case.alias("city"), col("id").sum.alias("ids"))
)
