import datetime as dt

from tableapi import DataTypes
from tableapi.expressions import col, lit

result = (
    env.from_path("lines")
    .filter(col("sku") == "cap")
    .select(
        lit(dt.date(2024, 2, 29)).alias("d"),
        lit(dt.time(12, 34, 56, 789000)).alias("t"),
        lit(dt.datetime(1969, 12, 31, 23, 59, 59, 1)).alias("ts"),
        lit(dt.datetime(2024, 7, 1, 10, tzinfo=dt.UTC)).alias("z"),
        lit(dt.timedelta(days=-1, milliseconds=-5)).alias("i"),
        lit(-14, DataTypes.INTERVAL(DataTypes.YEAR(), DataTypes.MONTH())).alias("m"),
    )
)
