from tableapi.expressions import call, col, lit

result = (
    env.from_path("events")
    .group_by(call("window", col("ts"), "30 minutes"), col("k"))
    .select(
        call("window", col("ts"), "30 minutes").get("start").alias("s"),
        call("window", col("ts"), "30 minutes").get("end").alias("e"),
        (call("window", col("ts"), "30 minutes").get("end") - lit(1).milli).alias("r"),
        col("k"),
        col("v").sum.alias("total"),
    )
)
