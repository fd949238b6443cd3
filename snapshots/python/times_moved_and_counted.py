import datetime as dt

from tableapi import TimePointUnit
from tableapi.expressions import col, timestamp_add, timestamp_diff

result = env.from_path("readings").select(
    timestamp_diff(TimePointUnit.DAY, col("day"), dt.date(2000, 1, 1)).alias("days"),
    timestamp_add(TimePointUnit.MONTH, col("n"), col("at")).alias("months"),
    timestamp_add(TimePointUnit.HOUR, -1, col("at")).alias("hour"),
)
