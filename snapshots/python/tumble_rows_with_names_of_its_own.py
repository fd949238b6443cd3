from tableapi.expressions import col, explode, sliding_windows

result = (
    env.from_path("events")
    .select(
        col("v").alias("window_start"),
        col("e").alias("Window_End"),
        col("k").alias("window"),
        col("ts").alias("a`b"),
    )
    .join_lateral(explode(sliding_windows(col("a`b"), "1 day", "1 day")).alias("window_0"))
    .select(
        col("window_start"),
        col("Window_End"),
        col("window"),
        col("a`b"),
        col("window_0").start.alias("window_start0"),
        col("window_0").end.alias("window_end0"),
        col("window_0").rowtime.alias("window_time"),
    )
)
