from tableapi.expressions import col, if_then_else, lit
from tableapi.window import Over

window_end = col("ts").max.over(Over.partition_by(col("session_0"))) + lit(7).minutes
result = (
    env.from_path("events")
    .filter(col("ts").is_not_null)
    .add_columns(
        if_then_else(
            col("ts") > col("ts").lag().over(Over.order_by(col("ts"))) + lit(7).minutes,
            1,
            0,
        ).alias("session_0"),
    )
    .add_or_replace_columns(col("session_0").sum.over(Over.order_by(col("ts"))).alias("session_0"))
    .select(
        col("e"),
        col("k"),
        col("v"),
        col("ts"),
        col("instant"),
        col("day"),
        col("ts").min.over(Over.partition_by(col("session_0"))).alias("window_start"),
        window_end.alias("window_end"),
        (window_end - lit(1).milli).alias("window_time"),
    )
    .group_by(col("window_start"), col("window_end"), col("k"))
    .select(col("window_start"), col("window_end"), col("k"), col("*").count.alias("n"))
)
