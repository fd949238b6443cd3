from tableapi.expressions import col
from tableapi.window import Over

result = env.from_path("lines").select(
    col("sku"),
    col("line_order"),
    col("quantity")
    .sum.over(Over.partition_by(col("sku")).order_by(col("line_order")))
    .alias("total"),
)
