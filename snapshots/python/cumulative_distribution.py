from tableapi.expressions import col, cume_dist
from tableapi.window import Over

result = env.from_path("left_bag").select(
    col("x"),
    cume_dist().over(Over.order_by(col("x"))).alias("share"),
)
