from tableapi.expressions import col, explode, sliding_windows

a = (
    env.from_path("events")
    .join_lateral(explode(sliding_windows(col("ts"), "10 minutes", "10 minutes")).alias("window"))
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
)
selected_events = a.alias(
    "b_e",
    "b_k",
    "b_v",
    "b_ts",
    "b_instant",
    "b_day",
    "b_window_start",
    "b_window_end",
    "b_window_time",
)
result = a.join(
    selected_events,
    (col("window_start") == col("b_window_start"))
    & (col("window_end") == col("b_window_end"))
    & (col("v") < col("b_v")),
).select(col("v"), col("b_v").alias("w"), col("window_start"))
