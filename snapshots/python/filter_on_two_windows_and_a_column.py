from tableapi.expressions import col, rank
from tableapi.window import Over

result = env.from_path("lines").filter(
    (rank().over(Over.order_by(col("quantity").desc)) <= 3)
    & (col("quantity") < col("quantity").max.over(Over.partition_by()))
    & (col("sku") != "cap"),
)
