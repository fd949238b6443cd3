from tableapi.expressions import col
from tableapi.window import Over

result = env.from_path("orders").select(
    col("order_id"),
    col("amount")
    .sum.where(col("status") == "paid")
    .over(Over.order_by(col("order_id")))
    .alias("paid"),
    col("status")
    .last_value.ignore_nulls.where(col("order_id") != 103)
    .over(Over.order_by(col("order_id")))
    .alias("status"),
)
