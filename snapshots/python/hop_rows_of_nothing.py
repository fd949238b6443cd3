from tableapi import DataTypes
from tableapi.expressions import col, explode, sliding_windows

result = (
    env.from_path("nothing")
    .add_columns(col("b").cast(DataTypes.TIMESTAMP()).alias("ts"))
    .join_lateral(explode(sliding_windows(col("ts"), "2 hours", "1 hour")).alias("window"))
    .select(
        col("a"),
        col("b"),
        col("ts"),
        col("window").start.alias("window_start"),
        col("window").end.alias("window_end"),
        col("window").rowtime.alias("window_time"),
    )
    .select(col("a"), col("window_end"))
)
