from tableapi import DataTypes
from tableapi.expressions import col, lit
from tableapi.window import Tumble

result = (
    env.from_path("events")
    .window(Tumble.over(lit(10).minutes).on(col("ts")).alias("w"))
    .group_by(col("w"))
    .select(col("w"), col("v").max.alias("m"))
    .filter(col("w").start >= lit("2024-01-01 10:30:00").cast(DataTypes.TIMESTAMP()))
)
