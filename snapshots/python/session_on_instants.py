from tableapi.expressions import col, lit
from tableapi.window import Session

result = (
    env.from_path("events")
    .window(Session.with_gap(lit(6).minutes).on(col("instant")).alias("w"))
    .group_by(col("w"))
    .select(col("w").start.alias("ws"), col("v").sum.alias("s"))
)
