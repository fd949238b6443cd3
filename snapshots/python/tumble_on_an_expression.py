from tableapi import DataTypes
from tableapi.expressions import col, lit
from tableapi.window import Tumble

result = (
    env.from_path("events")
    .window(
        Tumble.over(lit(1).hour)
        .on(col("day").cast(DataTypes.TIMESTAMP()) + lit(2).hours)
        .alias("w"),
    )
    .group_by(col("k"), col("w"))
    .select(col("k"), col("w").start.alias("ws"), col("v").sum.alias("s"))
    .filter(col("k") == "a")
)
