from tableapi.expressions import col, explode, sliding_windows

result = (
    env.from_path("events")
    .select(col("v"), col("ts"))
    .join_lateral(explode(sliding_windows(col("ts"), "10 minutes", "10 minutes")).alias("window"))
    .select(
        col("v"),
        col("ts"),
        col("window").start.alias("window_start"),
        col("window").end.alias("window_end"),
        col("window").rowtime.alias("window_time"),
    )
    .join_lateral(explode(sliding_windows(col("window_time"), "1 hour", "1 hour")).alias("window"))
    .select(
        col("v"),
        col("ts"),
        col("window_start"),
        col("window_end"),
        col("window_time"),
        col("window").start.alias("window_start0"),
        col("window").end.alias("window_end0"),
        col("window").rowtime.alias("window_time0"),
    )
    .filter(col("v") > 4)
    .drop_columns(col("ts"), col("window_time"))
)
