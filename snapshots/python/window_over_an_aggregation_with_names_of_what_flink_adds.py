from tableapi.expressions import col, lit
from tableapi.window import Tumble

result = (
    env.from_path("events")
    .group_by(col("ts"))
    .select(col("ts").alias("window_start"), col("v").sum.alias("window_time"))
    .window(Tumble.over(lit(10).minutes).on(col("window_start")).alias("w"))
    .group_by(col("w"))
    .select(col("window_time").sum.alias("s"))
)
