from tableapi.expressions import col, explode, sliding_windows

result = (
    env.from_path("events")
    .join_lateral(
        explode(sliding_windows(col("ts"), "10 minutes", "4 minutes", "1 minute")).alias("window")
    )
    .filter((col("v") == 1) | (col("v") == 3))
    .select(
        col("v"),
        col("window").start.alias("window_start"),
        col("window").end.alias("window_end"),
        col("window").rowtime.alias("window_time"),
    )
)
