from tableapi.expressions import col, explode, sliding_windows

result = (
    env.from_path("events")
    .join_lateral(explode(sliding_windows(col("ts"), "30 minutes", "30 minutes")).alias("window"))
    .select(
        col("e"),
        col("k"),
        col("v"),
        col("ts"),
        col("instant"),
        col("day"),
        col("window").start.alias("window_start"),
        col("window").end.alias("window_end"),
        col("window").rowtime.alias("window_time"),
    )
    .group_by(col("window_end"))
    .select(col("window_end"), col("v").sum.alias("s"))
)
