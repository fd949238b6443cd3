from tableapi import TimeIntervalUnit
from tableapi.expressions import col, lit
from tableapi.window import Tumble

result = (
    env.from_path("events")
    .window(Tumble.over(lit(1).hour).on(col("ts")).alias("w"))
    .group_by(col("w"))
    .select(
        (col("v").sum / col("v").count).alias("mean"),
        col("w").start.extract(TimeIntervalUnit.HOUR).alias("hour"),
        (col("v").max - col("v").min).alias("spread"),
    )
)
