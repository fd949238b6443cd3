from tableapi.expressions import col, rank, row_number
from tableapi.window import Over

result = (
    env.from_path("lines")
    .filter(row_number().over(Over.order_by(col("line_order"), col("sku"))) > 1)
    .filter(row_number().over(Over.order_by(col("line_order"), col("sku"))) > 1)
    .select(col("line_order").alias("EXPR$0"), col("sku"))
    .filter(rank().over(Over.order_by(col("EXPR$0").desc)) == 1)
)
