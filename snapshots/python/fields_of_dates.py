from tableapi import TimeIntervalUnit
from tableapi.expressions import col

result = env.from_path("readings").select(
    col("n"),
    col("day").extract(TimeIntervalUnit.WEEK).alias("week"),
    col("day").extract(TimeIntervalUnit.YEAROFWEEK).alias("year"),
    col("day").extract(TimeIntervalUnit.DOW_ISO).alias("weekday"),
    col("day").extract(TimeIntervalUnit.DOY).alias("day"),
)
