from tableapi.expressions import col, lit
from tableapi.window import Tumble

events = env.from_path("events")
grouped_events = (
    events.filter(col("k") == "b")
    .window(Tumble.over(lit(10).minutes).on(col("ts")).alias("w"))
    .group_by(col("w"))
    .select(col("w").start.alias("ws_b"), col("v").sum.alias("s_b"))
)
result = (
    events.filter(col("k") == "a")
    .window(Tumble.over(lit(10).minutes).on(col("ts")).alias("w"))
    .group_by(col("w"))
    .select(col("w").start.alias("ws_a"), col("v").sum.alias("s_a"))
    .join(grouped_events, col("ws_a") == col("ws_b"))
)
