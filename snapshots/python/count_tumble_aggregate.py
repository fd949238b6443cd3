from tableapi.expressions import col, row_interval
from tableapi.window import Tumble

result = (
    env.from_path("events")
    .window(Tumble.over(row_interval(2)).on(col("ts")).alias("w"))
    .group_by(col("w"), col("k"))
    .select(col("k"), col("v").sum.alias("s"))
    .select(col("s") + 1, col("k"))
)
