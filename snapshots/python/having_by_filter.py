from tableapi.expressions import col

result = (
    env.from_path("orders")
    .group_by(col("status"))
    .select(col("status"), col("amount").sum.alias("s"))
    .filter(col("s") > 100)
)
