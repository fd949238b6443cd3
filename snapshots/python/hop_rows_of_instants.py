from tableapi.expressions import col, explode, sliding_windows

result = (
    env.from_path("events")
    .filter(col("v") == 4)
    .join_lateral(
        explode(sliding_windows(col("instant"), "20 hours", "8 hours", "1 hour")).alias("window")
    )
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
    .select(col("window_start"), col("window_end"))
)
