from tableapi import TimeIntervalUnit
from tableapi.expressions import col

result = (
    env.from_path("readings")
    .filter(col("n") == 1)
    .select(
        col("at").extract(TimeIntervalUnit.YEAR).alias("year"),
        col("at").extract(TimeIntervalUnit.QUARTER).alias("quarter"),
        col("at").extract(TimeIntervalUnit.MONTH).alias("month"),
        col("at").extract(TimeIntervalUnit.WEEK).alias("week"),
        col("at").extract(TimeIntervalUnit.DAY).alias("day"),
        col("at").extract(TimeIntervalUnit.HOUR).alias("hour"),
        col("at").extract(TimeIntervalUnit.MINUTE).alias("minute"),
    )
)
