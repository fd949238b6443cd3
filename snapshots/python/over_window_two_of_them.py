from tableapi.expressions import UNBOUNDED_ROW, col, row_interval
from tableapi.window import Over

result = env.from_path("lines").select(
    col("line_order"),
    col("sku"),
    col("quantity").sum.over(
        Over.partition_by(col("sku")).order_by(col("line_order")).preceding(UNBOUNDED_ROW),
    ),
    col("quantity").sum.over(
        Over.order_by(col("line_order"), col("sku")).preceding(row_interval(1)),
    ),
)
