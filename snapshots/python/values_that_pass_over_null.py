from tableapi.expressions import col
from tableapi.window import Over

result = env.from_path("orders").select(
    col("order_id"),
    col("amount").last_value.ignore_nulls.over(Over.order_by(col("order_id"))).alias("last"),
    col("status").first_value.ignore_nulls.over(Over.order_by(col("order_id").desc)).alias("first"),
)
