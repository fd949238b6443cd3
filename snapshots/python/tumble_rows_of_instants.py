from tableapi.expressions import col, explode, sliding_windows

result = (
    env.from_path("events")
    .join_lateral(
        explode(sliding_windows(col("instant"), "1 day", "1 day", "-6 hours")).alias("window")
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
    .select(col("v"), col("window_start"), col("window_time"))
)
