from tableapi.expressions import col, lit
from tableapi.window import Tumble

result = (
    env.from_path("readings")
    .window(Tumble.over(lit(7).days).on(col("at")).alias("w"))
    .group_by(col("w"))
    .select(col("w").start.alias("ws"), col("n").sum.alias("s"))
)
