from tableapi.expressions import col, lit
from tableapi.window import Tumble

result = (
    env.from_path("events")
    .window(Tumble.over(lit(1).day).on(col("ts")).alias("w"))
    .group_by(col("w"))
    .select(col("k").count.distinct.alias("keys"), (col("v") % 3).sum.distinct.alias("rests"))
)
