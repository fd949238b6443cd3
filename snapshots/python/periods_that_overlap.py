import datetime as dt

from tableapi.expressions import col, lit, temporal_overlaps

result = (
    env.from_path("events")
    .filter(
        temporal_overlaps(
            col("ts"),
            lit(10).minutes,
            dt.datetime(2024, 1, 1, 10, 12),
            dt.datetime(2024, 1, 1, 10, 31),
        )
        & (col("e") > 2),
    )
    .select(
        col("e"),
        temporal_overlaps(col("day"), lit(1).day, col("day"), dt.date(2024, 1, 1)).alias("o"),
    )
)
