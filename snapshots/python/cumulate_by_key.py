import datetime as dt

from tableapi.expressions import col, cumulative_windows, explode

result = (
    env.from_path("events")
    .filter(col("ts") < dt.datetime(2024, 1, 1, 10, 10))
    .join_lateral(explode(cumulative_windows(col("ts"), "5 minutes", "10 minutes")).alias("w"))
    .group_by(col("k"), col("w"))
    .select(col("k"), col("w").rowtime.alias("last"), col("*").count.alias("n"))
    .filter(col("n") > 1)
)
