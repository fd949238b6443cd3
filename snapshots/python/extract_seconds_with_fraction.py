from tableapi import TimeIntervalUnit
from tableapi.expressions import col

result = (
    env.from_path("readings")
    .filter(col("n") < 3)
    .select(col("at").extract(TimeIntervalUnit.SECOND).alias("s"))
)
