from tableapi.expressions import col, row_interval
from tableapi.window import Over

window = Over.order_by(col("order_id")).preceding(row_interval(2))
result = env.from_path("orders").select(
    col("order_id"),
    col("amount").sum.over(window),
    col("amount").count.over(window),
)
