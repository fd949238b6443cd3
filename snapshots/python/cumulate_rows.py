from tableapi.expressions import col, cumulative_windows, explode

result = (
    env.from_path("events")
    .filter(col("v").in_(2, 3))
    .join_lateral(explode(cumulative_windows(col("ts"), "5 minutes", "10 minutes")).alias("window"))
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
    .select(col("v"), col("window_start"), col("window_end"), col("window_time"))
)
