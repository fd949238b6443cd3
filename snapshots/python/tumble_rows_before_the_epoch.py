import datetime as dt

from tableapi.expressions import col, explode, sliding_windows

result = (
    env.from_elements(
        [
            (1, dt.datetime(1969, 12, 31, 23, 59, 59, 999999)),
            (2, dt.datetime(1969, 12, 31, 23, 50)),
            (3, None),
        ],
        ["v", "ts"],
    )
    .join_lateral(explode(sliding_windows(col("ts"), "10 minutes", "10 minutes")).alias("window"))
    .select(
        col("v"),
        col("ts"),
        col("window").start.alias("window_start"),
        col("window").end.alias("window_end"),
        col("window").rowtime.alias("window_time"),
    )
)
