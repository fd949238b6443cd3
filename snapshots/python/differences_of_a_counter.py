from tableapi.expressions import col
from tableapi.window import Over

result = (
    env.from_path("events")
    .filter(col("k") == "b")
    .select(col("e"), col("v").counter_diff().over(Over.order_by(col("e"))).alias("more"))
)
