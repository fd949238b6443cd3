from tableapi.expressions import col, lit
from tableapi.window import Tumble

result = (
    env.from_path("events")
    .window(Tumble.over(lit(7).days).on(col("day")).alias("w"))
    .group_by(col("w"))
    .select(col("w").start.alias("ws"), col("v").sum.alias("s"))
)
