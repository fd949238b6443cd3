from tableapi import DataTypes
from tableapi.expressions import col, lit
from tableapi.window import Tumble

result = (
    env.from_path("nothing")
    .add_columns(col("b").cast(DataTypes.TIMESTAMP()).alias("ts"))
    .window(Tumble.over(lit(10).minutes).on(col("ts")).alias("w"))
    .group_by(col("w"))
    .select(col("w").start.alias("ws"), col("*").count.alias("n"))
)
