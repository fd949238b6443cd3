from tableapi.expressions import col, lit
from tableapi.window import Tumble

result = (
    env.from_path("events")
    .window(Tumble.over(lit(30).minutes).on(col("instant")).alias("w"))
    .group_by(col("w"))
    .select(col("w").start.alias("ws"), col("w").rowtime.alias("rt"), col("v").sum.alias("s"))
)
