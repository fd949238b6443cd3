from tableapi import TimeIntervalUnit
from tableapi.expressions import col

result = env.from_path("readings").select(
    col("instant").floor(TimeIntervalUnit.MONTH).alias("month"),
    col("instant").ceil(TimeIntervalUnit.HOUR).alias("hour"),
    col("instant").floor(TimeIntervalUnit.WEEK).alias("week"),
)
