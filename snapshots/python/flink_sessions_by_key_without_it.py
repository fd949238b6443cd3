from tableapi.expressions import col, if_then_else, lit
from tableapi.window import Over

window = Over.partition_by(col("k"), col("session_0"))
result = (
    env.from_path("events")
    .filter(col("ts").is_not_null)
    .add_columns(
        if_then_else(
            col("ts")
            > col("ts").lag().over(Over.partition_by(col("k")).order_by(col("ts")))
            + lit(6).minutes,
            1,
            0,
        ).alias("session_0"),
    )
    .add_or_replace_columns(
        col("session_0")
        .sum.over(Over.partition_by(col("k")).order_by(col("ts")))
        .alias("session_0"),
    )
    .select(
        col("e"),
        col("k"),
        col("v"),
        col("ts"),
        col("instant"),
        col("day"),
        col("ts").min.over(window).alias("window_start"),
        (col("ts").max.over(window) + lit(6).minutes).alias("window_end"),
        (col("ts").max.over(window) + lit(6).minutes - lit(1).milli).alias("window_time"),
    )
    .group_by(col("window_start"), col("window_end"))
    .select(col("window_start"), col("window_end"), col("*").count.alias("n"))
)
