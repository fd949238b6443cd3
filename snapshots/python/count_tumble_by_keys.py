from tableapi.expressions import col, row_interval
from tableapi.window import Tumble

result = (
    env.from_path("events")
    .window(Tumble.over(row_interval(2)).on(col("instant")).alias("w"))
    .group_by(col("k").upper_case.alias("upper"), col("w"))
    .select(col("upper"), col("v").sum.alias("s"), col("*").count.alias("n"))
)
