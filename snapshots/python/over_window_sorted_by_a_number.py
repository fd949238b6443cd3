from tableapi.expressions import col
from tableapi.window import Over

result = env.from_path("lines").select(
    col("line_order"),
    col("sku"),
    col("*").count.over(Over.partition_by(col("sku")).order_by(col("quantity"))).alias("n"),
)
