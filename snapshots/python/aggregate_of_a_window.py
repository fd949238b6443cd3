from tableapi.expressions import col, rank
from tableapi.window import Over

result = (
    env.from_path("orders")
    .select(col("status"), rank().over(Over.order_by(col("amount"))).alias("place"))
    .group_by(col("status"))
    .select(col("status"), col("place").max)
)
