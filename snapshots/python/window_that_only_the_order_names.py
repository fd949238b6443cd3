from tableapi.expressions import col, lit
from tableapi.window import Tumble

result = (
    env.from_path("events")
    .window(Tumble.over(lit(10).minutes).on(col("ts")).alias("w"))
    .group_by(col("w"), col("k"))
    .select(col("w").start.alias("ws"), col("k"), col("v").sum.alias("s"))
    .order_by(col("ws"), col("k"))
    .select(col("k"), col("s"))
)
