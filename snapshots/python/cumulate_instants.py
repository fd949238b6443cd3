from tableapi.expressions import col, cumulative_windows, explode

result = (
    env.from_path("events")
    .join_lateral(explode(cumulative_windows(col("instant"), "12 hours", "1 day")).alias("w"))
    .group_by(col("w"))
    .select(col("w").start.alias("ws"), col("w").end.alias("we"), col("*").count.alias("n"))
)
