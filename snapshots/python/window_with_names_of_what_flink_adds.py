from tableapi.expressions import col, lit
from tableapi.window import Tumble

result = (
    env.from_path("events")
    .window(Tumble.over(lit(10).minutes).on(col("ts")).alias("k"))
    .group_by(col("k").alias("window_start"), col("k"))
    .select(
        col("window_start"),
        col("k"),
        col("v").sum.alias("window_end"),
        col("*").count.alias("v"),
    )
    .select(col("window_start"), col("k").start.alias("s"), col("window_end"), col("v"))
)
