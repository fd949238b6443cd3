import datetime as dt

from tableapi import DataTypes
from tableapi.expressions import col, lit
from tableapi.window import Tumble

result = (
    env.from_path("events")
    .window(Tumble.over(lit(10).minutes).on(col("ts")).alias("window"))
    .group_by(col("window"))
    .select(col("window"), col("v").sum.alias("s"))
    .window(
        Tumble.over(lit(1).hour)
        .on(
            col("window").end
            - lit(dt.timedelta(microseconds=1), DataTypes.INTERVAL(DataTypes.SECOND())),
        )
        .alias("h"),
    )
    .group_by(col("h"))
    .select(col("h").start.alias("hour"), col("s").sum.alias("s"), col("window").count.alias("c"))
)
