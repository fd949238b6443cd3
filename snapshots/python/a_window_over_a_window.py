from tableapi.expressions import col, row_number
from tableapi.window import Over

result = (
    env.from_path("left_bag")
    .select(col("x"), row_number().over(Over.order_by(col("x"), col("y"))).alias("n"))
    .select(col("x"), col("n").sum.over(Over.partition_by(col("x"))).alias("s"))
)
