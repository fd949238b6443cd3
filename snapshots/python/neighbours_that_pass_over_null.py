from tableapi.expressions import col
from tableapi.window import Over

result = env.from_path("orders").select(
    col("order_id"),
    col("amount").lag(1).ignore_nulls.over(Over.order_by(col("order_id"))).alias("before"),
    col("discount").nth_value(2).ignore_nulls.over(Over.order_by(col("order_id"))).alias("second"),
)
