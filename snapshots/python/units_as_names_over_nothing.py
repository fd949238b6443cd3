from tableapi import TimeIntervalUnit
from tableapi.expressions import call, col, convert_tz

result = (
    env.from_path("nothing")
    .select(
        call("date_from_unix_date", col("a")).alias("month"),
        col("a").alias("YEAR"),
        col("b").alias("T`O"),
    )
    .select(
        col("month").floor(TimeIntervalUnit.MONTH).alias("month"),
        call("timestamp_seconds", col("YEAR")).alias("DAY"),
        convert_tz(col("T`O"), "UTC", "UTC").alias("WEEK"),
    )
    .select(col("month").ceil(TimeIntervalUnit.YEAR).alias("hour"), col("DAY"), col("WEEK"))
)
