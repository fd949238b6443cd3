import datetime as dt

from tableapi.expressions import col

result = (
    env.from_path("readings")
    .filter(col("n") == 3)
    .select((col("day") - dt.date(1999, 12, 1)).alias("days"))
)
