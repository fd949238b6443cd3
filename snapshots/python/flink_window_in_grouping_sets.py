from tableapi.expressions import call, col

result = (
    env.from_path("events")
    .grouping_sets(
        [call("window", col("ts"), "30 minutes"), col("k")],
        [call("window", col("ts"), "30 minutes"), col("day")],
        [call("window", col("ts"), "30 minutes")],
    )
    .select(
        call("window", col("ts"), "30 minutes").get("start").alias("window_start"),
        col("k"),
        col("day"),
        col("*").count.alias("n"),
    )
)
