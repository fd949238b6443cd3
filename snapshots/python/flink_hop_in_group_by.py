from tableapi.expressions import call, col

result = (
    env.from_path("events")
    .group_by(call("window", col("ts"), "1 hour", "30 minutes"))
    .select(
        call("window", col("ts"), "1 hour", "30 minutes").get("start").alias("s"),
        col("v").sum.alias("total"),
    )
)
