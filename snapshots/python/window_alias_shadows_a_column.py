from tableapi.expressions import col, lit
from tableapi.window import Tumble

result = (
    env.from_path("events")
    .window(Tumble.over(lit(1).hour).on(col("ts")).alias("V"))
    .group_by(col("V"))
    .select(col("V").start.alias("ws"), col("v").sum.alias("s"))
)
