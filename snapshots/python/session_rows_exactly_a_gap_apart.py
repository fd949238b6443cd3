from tableapi.expressions import col, lit
from tableapi.window import Session

result = (
    env.from_path("events")
    .filter(col("e").in_(1, 3))
    .window(Session.with_gap(lit(5).minutes).on(col("ts")).alias("w"))
    .group_by(col("w"))
    .select(col("w"), col("*").count.alias("n"))
)
