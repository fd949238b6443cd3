from tableapi.expressions import col
from tableapi.window import Over

result = env.from_path("left_bag").add_columns(
    col("*").count.over(Over.partition_by(col("x"))).alias("n")
)
