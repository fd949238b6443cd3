from tableapi.expressions import col
from tableapi.window import Over

result = env.from_path("orders").select(
    col("order_id"),
    col("amount").lag().over(Over.order_by(col("order_id"))).alias("before"),
    col("amount").lag(2).over(Over.order_by(col("order_id"))).alias("before_that"),
    col("amount").lead(1, 0).over(Over.order_by(col("order_id"))).alias("after"),
    col("status").lag(1, "none").over(Over.order_by(col("order_id"))).alias("status_before"),
    col("order_id").lead(1, col("customer_id")).over(Over.order_by(col("order_id"))).alias("next"),
)
