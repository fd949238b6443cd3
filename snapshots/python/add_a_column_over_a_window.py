from tableapi.expressions import col
from tableapi.window import Over

result = env.from_path("left_bag").add_columns(
    (col("x") - col("x").lag(1, 0).over(Over.order_by(col("x"), col("y")))).alias("step")
)
