from tableapi.expressions import col, row_number
from tableapi.window import Over

result = (
    env.from_path("orders")
    .filter(row_number().over(Over.partition_by(col("status")).order_by(col("order_id").desc)) == 1)
    .select(col("status"), col("order_id"))
)
