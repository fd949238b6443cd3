from tableapi import TimeIntervalUnit
from tableapi.expressions import col

result = env.from_path("readings").select(
    col("day").floor(TimeIntervalUnit.WEEK).alias("first"),
    col("day").ceil(TimeIntervalUnit.WEEK).alias("next"),
    col("at").floor(TimeIntervalUnit.WEEK).alias("begins"),
    col("at").ceil(TimeIntervalUnit.WEEK).alias("ends"),
)
