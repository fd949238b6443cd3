import datetime as dt

from tableapi.expressions import call, col

result = (
    env.from_path("events")
    .group_by(col("k"))
    .select(col("k"), col("ts").max.alias("latest"))
    .select(col("k"), call("window", col("latest"), "1 hour").alias("hour"))
    .filter(col("hour").start == dt.datetime(2024, 1, 1, 10))
    .select(col("k"))
)
