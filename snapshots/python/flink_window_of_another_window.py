from tableapi.expressions import call, col, lit

result = (
    env.from_path("events")
    .group_by(call("window", col("ts"), "10 minutes"))
    .select(
        (call("window", col("ts"), "10 minutes").get("end") - lit(1).milli).alias("rowtime"),
        col("v").sum.alias("total"),
    )
    .group_by(call("window", col("rowtime"), "1 hour"))
    .select(
        call("window", col("rowtime"), "1 hour").get("start").alias("window_start"),
        col("total").sum.alias("total"),
        col("*").count.alias("n"),
    )
)
