from tableapi.expressions import call, col

result = (
    env.from_path("events")
    .filter(col("v") > 5)
    .select(
        col("e"),
        call("window", col("instant"), "1 day", "1 day", "2 hours").get("start").alias("window"),
    )
)
