from tableapi.expressions import call, col

result = (
    env.from_path("events")
    .select(
        col("e"),
        col("k"),
        col("v"),
        col("ts"),
        col("instant"),
        col("day"),
        call("window", col("ts"), "10 minutes").alias("window"),
    )
    .group_by(col("window").start.alias("s"))
    .select(col("s"), col("*").count.alias("c"))
)
