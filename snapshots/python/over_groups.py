from tableapi.expressions import col, rank
from tableapi.window import Over

result = (
    env.from_path("lines")
    .group_by(col("sku"))
    .select(
        col("sku"),
        col("quantity").sum.alias("total"),
        rank().over(Over.order_by(col("quantity").sum.desc)).alias("place"),
        col("quantity").sum.sum.over(Over.partition_by()).alias("everything"),
    )
)
