from tableapi.expressions import col, lit
from tableapi.window import Tumble

result = (
    env.from_path("events")
    .window(Tumble.over(lit(10).minutes).on(col("ts")).alias("w"))
    .group_by(col("w"), col("k"))
    .select(col("w").rowtime.alias("rt"), col("k"), col("v").sum.alias("s"))
    .window(Tumble.over(lit(30).minutes).on(col("rt")).alias("w"))
    .group_by(col("w"))
    .select(col("w").start.alias("ws"), col("s").max.alias("most"), col("*").count.alias("n"))
)
