from tableapi.expressions import col, row_interval
from tableapi.window import Slide

result = (
    env.from_path("events")
    .window(Slide.over(row_interval(3)).every(row_interval(1)).on(col("ts")).alias("w"))
    .group_by(col("w"), col("k"))
    .select(col("k"), col("v").sum.alias("s"))
)
