from tableapi.expressions import call, col

result = (
    env.from_path("events")
    .group_by(col("k"), call("session_window", col("ts"), "6 minutes"))
    .select(
        col("k"),
        call("session_window", col("ts"), "6 minutes").alias("EXPR$0"),
        col("*").count.alias("EXPR$3"),
    )
    .filter(col("EXPR$3") > 1)
    .select(
        col("EXPR$0").start.alias("s"),
        col("EXPR$0").end.alias("e"),
        col("k"),
        col("EXPR$3").alias("n"),
    )
)
