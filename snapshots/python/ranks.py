from tableapi.expressions import col, dense_rank, ntile, percent_rank, rank
from tableapi.window import Over

result = env.from_path("left_bag").select(
    col("x"),
    rank().over(Over.order_by(col("x"))).alias("r"),
    dense_rank().over(Over.order_by(col("x"))).alias("d"),
    percent_rank().over(Over.order_by(col("x"))).alias("p"),
    ntile(2).over(Over.order_by(col("x"))).alias("n"),
)
