from tableapi.expressions import call, col, lit
from tableapi.window import Tumble

result = (
    env.from_path("events")
    .window(Tumble.over(lit(10).minutes).on(col("ts")).alias("window"))
    .group_by(col("window"))
    .select(col("window"), col("v").sum.alias("s"))
    .window(Tumble.over(lit(1).hour).on(call("window_time", col("window"))).alias("h"))
    .group_by(col("h"))
    .select(col("h").start.alias("hour"), col("s").sum.alias("s"), col("window").count.alias("c"))
)
