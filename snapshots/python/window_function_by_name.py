from tableapi.expressions import call, col

result = (
    env.from_path("events")
    .group_by(call("window", col("ts"), "30 minutes", "30 minutes", "10 minutes").alias("w"))
    .select(col("w").start.alias("ws"), col("v").sum.alias("s"))
)
