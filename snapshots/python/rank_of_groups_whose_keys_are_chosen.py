from tableapi.expressions import col, rank
from tableapi.window import Over

result = (
    env.from_path("left_bag")
    .rollup(col("y"))
    .select(col("y"), col("x").sum.alias("total"))
    .filter(col("y").is_not_null)
    .select(col("y"), rank().over(Over.order_by(col("total").desc)).alias("r"))
)
