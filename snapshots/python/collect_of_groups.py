from tableapi.expressions import col

result = (
    env.from_path("orders")
    .group_by(col("customer_id"))
    .select(
        col("customer_id"),
        col("status").collect.alias("statuses"),
        col("status").collect.where(col("amount") > 10).alias("large"),
        col("status").collect.distinct.cardinality.alias("kinds"),
    )
)
