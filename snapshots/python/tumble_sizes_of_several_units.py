import datetime as dt

from tableapi.expressions import col, lit
from tableapi.window import Tumble

result = (
    env.from_path("events")
    .window(Tumble.over(lit(dt.timedelta(minutes=30, milliseconds=500))).on(col("ts")).alias("w"))
    .group_by(col("w"))
    .select(col("w").start.alias("ws"), col("v").sum.alias("s"))
)
