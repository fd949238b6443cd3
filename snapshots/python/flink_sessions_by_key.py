from tableapi.expressions import call, col

result = (
    env.from_path("events")
    .group_by(call("session_window", col("ts"), "6 minutes"), col("k"))
    .select(
        call("session_window", col("ts"), "6 minutes").alias("EXPR$0"),
        col("k"),
        col("*").count.alias("EXPR$4"),
    )
    .filter(col("EXPR$4") > 1)
    .select(
        col("EXPR$0").start.alias("window_start"),
        col("EXPR$0").end.alias("window_end"),
        col("EXPR$0").rowtime.alias("window_time"),
        col("k"),
        col("EXPR$4").alias("n"),
    )
)
