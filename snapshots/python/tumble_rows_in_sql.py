from tableapi.expressions import col, explode, sliding_windows

result = (
    env.from_path("events")
    .join_lateral(
        explode(sliding_windows(col("ts"), "1 hour", "1 hour", "2 minutes")).alias("window")
    )
    .filter(col("v") < 7)
    .select(
        col("v"),
        col("window").start.alias("window_start"),
        col("window").end.alias("window_end"),
        col("window").rowtime.alias("window_time"),
    )
)
