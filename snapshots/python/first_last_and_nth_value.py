from tableapi.expressions import UNBOUNDED_ROW, col
from tableapi.window import Over

result = env.from_path("orders").select(
    col("order_id"),
    col("amount").first_value.over(Over.order_by(col("order_id"))).alias("first"),
    col("status").last_value.over(Over.order_by(col("order_id"))).alias("last"),
    col("amount")
    .nth_value(2)
    .over(Over.order_by(col("order_id")).preceding(UNBOUNDED_ROW).following(UNBOUNDED_ROW))
    .alias("second"),
)
