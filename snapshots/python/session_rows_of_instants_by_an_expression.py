from tableapi.expressions import call, col, if_then_else, lit
from tableapi.window import Over

window = Over.partition_by(col("v") % 2, col("session_0"))
window_end = call(
    "timestamp_micros",
    call("unix_micros", col("instant").max.over(window)) + 172800000000,
)
result = (
    env.from_path("events")
    .filter(col("v") < 4)
    .filter(col("instant").is_not_null)
    .add_columns(
        if_then_else(
            col("instant")
            > call(
                "timestamp_micros",
                call(
                    "unix_micros",
                    col("instant")
                    .lag()
                    .over(Over.partition_by(col("v") % 2).order_by(col("instant"))),
                )
                + 172800000000,
            ),
            1,
            0,
        ).alias("session_0"),
    )
    .add_or_replace_columns(
        col("session_0")
        .sum.over(Over.partition_by(col("v") % 2).order_by(col("instant")))
        .alias("session_0"),
    )
    .select(
        col("e"),
        col("k"),
        col("v"),
        col("ts"),
        col("instant"),
        col("day"),
        col("instant").min.over(window).alias("window_start"),
        window_end.alias("window_end"),
        (window_end - lit(1).milli).alias("window_time"),
    )
    .select(col("v"), col("window_end"))
)
