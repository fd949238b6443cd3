import datetime as dt

from tableapi.expressions import (
    col,
    current_date,
    current_time,
    current_timestamp,
    local_time,
    local_timestamp,
)

result = (
    env.from_path("lines")
    .filter(col("sku") == "cap")
    .select(
        (current_date() >= dt.date(2024, 1, 1)).alias("d"),
        (current_timestamp() > dt.datetime(2024, 1, 1, tzinfo=dt.UTC)).alias("t"),
        (local_timestamp() > dt.datetime(2024, 1, 1)).alias("l"),
        (current_time() >= dt.time(0, 0)).alias("c"),
        local_time().is_null.alias("n"),
    )
)
