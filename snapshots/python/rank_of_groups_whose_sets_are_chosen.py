from tableapi.expressions import col, rank
from tableapi.window import Over

result = (
    env.from_path("left_bag")
    .rollup(col("y"))
    .select(col("y"), col("x").sum.alias("total"), col("y").grouping.alias("g"))
    .filter(col("g") == 0)
    .select(col("y"), rank().over(Over.order_by(col("total"))).alias("r"))
)
