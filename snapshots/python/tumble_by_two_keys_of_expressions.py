from tableapi.expressions import col, lit
from tableapi.window import Tumble

result = (
    env.from_path("events")
    .window(Tumble.over(lit(10).minutes).on(col("ts")).alias("w"))
    .group_by(col("k").upper_case.alias("upper"), col("w"), col("v") % 2)
    .select(col("upper"), col("v") % 2, col("*").count, col("w").end)
)
