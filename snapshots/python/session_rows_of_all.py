from tableapi.expressions import col, if_then_else, lit
from tableapi.window import Over

window_end = col("session_0").max.over(Over.partition_by(col("session_0_0"))) + lit(7).minutes
result = (
    env.from_path("events")
    .select(col("v"), col("ts").alias("session_0"))
    .filter(col("session_0").is_not_null)
    .add_columns(
        if_then_else(
            col("session_0")
            > col("session_0").lag().over(Over.order_by(col("session_0"))) + lit(7).minutes,
            1,
            0,
        ).alias("session_0_0"),
    )
    .add_or_replace_columns(
        col("session_0_0").sum.over(Over.order_by(col("session_0"))).alias("session_0_0")
    )
    .select(
        col("v"),
        col("session_0"),
        col("session_0").min.over(Over.partition_by(col("session_0_0"))).alias("window_start"),
        window_end.alias("window_end"),
        (window_end - lit(1).milli).alias("window_time"),
    )
    .drop_columns(col("session_0"))
)
