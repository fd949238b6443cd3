from tableapi.expressions import col, lit
from tableapi.window import Tumble

result = (
    env.from_path("events")
    .select(
        col("ts").alias("window_time"),
        col("k").alias("WINDOW_START"),
        col("v").alias("window_end_0"),
        col("e").alias("window_end"),
    )
    .window(Tumble.over(lit(1).hour).on(col("window_time")).alias("window"))
    .group_by(col("window"), col("WINDOW_START"))
    .select(
        col("WINDOW_START"),
        col("window").end.alias("end"),
        col("window_end").sum.alias("window_end"),
        col("window_end_0").sum.alias("start"),
    )
)
