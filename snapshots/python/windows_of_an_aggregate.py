from tableapi.expressions import call, col

result = (
    env.from_path("events")
    .group_by(col("k"))
    .select(col("k"), col("ts").max.alias("latest"))
    .select(col("k"), call("window", col("latest"), "10 minutes").get("start").alias("s"))
)
