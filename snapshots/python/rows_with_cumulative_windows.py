from tableapi.expressions import col, cumulative_windows, explode

result = (
    env.from_path("events")
    .join_lateral(
        explode(cumulative_windows(col("ts"), "30 minutes", "1 hour", "15 minutes")).alias("w")
    )
    .filter(col("v") > 4)
    .select(col("v"), col("w").start.alias("ws"), col("w").end.alias("we"))
)
