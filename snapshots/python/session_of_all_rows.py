from tableapi.expressions import col, lit
from tableapi.window import Session

result = (
    env.from_path("events")
    .window(Session.with_gap(lit(6).minutes).on(col("ts")).alias("w"))
    .group_by(col("w"))
    .select(col("w").rowtime.alias("rt"), col("v").sum)
)
