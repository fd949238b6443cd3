from tableapi.expressions import col, rank
from tableapi.window import Over

window = Over.partition_by(col("b")).order_by(col("a"))
result = env.from_path("nothing").select(col("a").sum.over(window), rank().over(window))
