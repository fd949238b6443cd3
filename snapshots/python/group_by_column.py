from tableapi.expressions import col

result = (
    env.from_path("orders")
    .group_by(col("status"))
    .select(col("status"), col("amount").sum.alias("total"), col("*").count.alias("orders"))
)
