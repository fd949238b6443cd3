from tableapi.expressions import col, explode, sliding_windows

result = (
    env.from_path("events")
    .join_lateral(explode(sliding_windows(col("ts"), "1 hour", "30 minutes")).alias("w"))
    .filter(col("v") > 5)
    .select(col("v"), col("w").start.alias("ws"), col("w").end.alias("we"))
)
